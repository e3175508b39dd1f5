// Evaluates a ValidatingAdmissionPolicy with the CEL of Kubernetes. Reads {policy, requests} from the file named by its
// argument, and prints for each request "skipped", "allowed", or the message of the refusal.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
)

type expression struct {
	Name              string
	Expression        string
	MessageExpression string
}

type spec struct {
	MatchConditions []expression
	Variables       []expression
	Validations     []expression
}

type input struct {
	Policy   spec
	Requests []map[string]any
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var given input
	check(json.Unmarshal(text, &given))
	environment, err := cel.NewEnv(
		cel.OptionalTypes(), ext.Strings(),
		cel.Variable("object", cel.DynType), cel.Variable("oldObject", cel.DynType),
		cel.Variable("request", cel.DynType), cel.Variable("params", cel.DynType),
		cel.Variable("variables", cel.DynType))
	check(err)
	for _, request := range given.Requests {
		fmt.Println(decide(environment, given.Policy, request))
	}
}

func decide(environment *cel.Env, policy spec, request map[string]any) string {
	for _, condition := range policy.MatchConditions {
		if evaluate(environment, condition.Expression, request) != true {
			return "skipped"
		}
	}
	variables := map[string]any{}
	request["variables"] = variables
	for _, variable := range policy.Variables {
		variables[variable.Name] = evaluate(environment, variable.Expression, request)
	}
	for _, validation := range policy.Validations {
		if evaluate(environment, validation.Expression, request) != true {
			return fmt.Sprint(evaluate(environment, validation.MessageExpression, request))
		}
	}
	return "allowed"
}

func evaluate(environment *cel.Env, expression string, values map[string]any) any {
	ast, issues := environment.Compile(expression)
	check(issues.Err())
	program, err := environment.Program(ast)
	check(err)
	answer, _, err := program.Eval(values)
	check(err)
	return answer.Value()
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

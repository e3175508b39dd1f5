// Reads JSON values, one a line, from the file named by its argument, and prints how many bytes each
// takes as kube-apiserver writes it to etcd: decoded with integers kept, as sigs.k8s.io/json does,
// and written by the encoder of the standard library.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, line := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n") {
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		var value any
		if err := decoder.Decode(&value); err != nil {
			panic(err)
		}
		var stored strings.Builder
		if err := json.NewEncoder(&stored).Encode(plain(value)); err != nil {
			panic(err)
		}
		// The encoder ends each value with a line feed.
		fmt.Fprintln(out, stored.Len()-1)
	}
}

// plain turns numbers into int64 where they fit and into float64 otherwise.
func plain(value any) any {
	switch known := value.(type) {
	case json.Number:
		if whole, err := known.Int64(); err == nil {
			return whole
		}
		broken, err := known.Float64()
		if err != nil {
			panic(err)
		}
		return broken
	case []any:
		for index, item := range known {
			known[index] = plain(item)
		}
	case map[string]any:
		for name, item := range known {
			known[name] = plain(item)
		}
	}
	return value
}

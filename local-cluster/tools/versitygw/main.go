// versitygw over a folder: the S3 server alone, without its Azure, LDAP and other command line parts, which
// would double the time that it takes to build.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

func main() {
	listen := flag.String("listen", "", "addresses, host:port, separated by commas")
	flag.Parse()
	if err := serve(strings.Split(*listen, ","), flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(addresses []string, folder string) error {
	// Extended attributes hold what S3 keeps beside an object's bytes.
	if err := (meta.XattrMeta{}).Test(folder); err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	options := posix.PosixOpts{CopyObjectThreshold: 5 << 30}
	options.SetNewDirPerm(0o755)
	options.SetNewFilePerm(0o644)
	backend, err := posix.New(folder, meta.XattrMeta{}, options)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	return embedgw.RunVersityGW(ctx, backend, &embedgw.Config{
		RootUserAccess:    os.Getenv("ROOT_ACCESS_KEY"),
		RootUserSecret:    os.Getenv("ROOT_SECRET_KEY"),
		Ports:             addresses,
		MaxConnections:    250_000,
		MaxRequests:       100_000,
		MultipartMaxParts: 10_000,
		KeepAlive:         true,
		Quiet:             true,
	})
}

// Command generate prints the table of Kubernetes types that Berth works with (types.txt), read by
// reflection from the published Go types and from the OpenAPI definitions that go with them.
//
// What is in the table is decided here: the group versions below, every kind of theirs that is
// stored or sent as an object, and every type these are made of.
package main

import (
	"bufio"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// served are the group versions of the table; of one that names kinds, those alone.
var served = []string{
	"v1", "admissionregistration.k8s.io/v1", "apiextensions.k8s.io/v1", "apiregistration.k8s.io/v1", "apps/v1",
	"authentication.k8s.io/v1", "authorization.k8s.io/v1", "autoscaling/v1", "autoscaling/v2", "batch/v1",
	"certificates.k8s.io/v1", "coordination.k8s.io/v1", "discovery.k8s.io/v1", "events.k8s.io/v1",
	"flowcontrol.apiserver.k8s.io/v1", "meta.k8s.io/v1", "networking.k8s.io/v1", "node.k8s.io/v1", "policy/v1",
	"policy/v1beta1 Eviction", "rbac.authorization.k8s.io/v1", "resource.k8s.io/v1", "scheduling.k8s.io/v1",
	"scheduling.k8s.io/v1beta1", "storage.k8s.io/v1", "storagemigration.k8s.io/v1",
}

// unsent are kinds that schemes know in every group version although they are parts of addresses, or
// belong to one of them.
var unsent = []string{
	"CreateOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions", "WatchEvent",
	"NodeProxyOptions", "PodAttachOptions", "PodExecOptions", "PodLogOptions", "PodPortForwardOptions",
	"PodProxyOptions", "PodStatusResult", "ServiceProxyOptions", "Table", "TableOptions",
}

func main() {
	types := scheme.Scheme
	must(apiextensions.AddToScheme(types))
	must(apiregistration.AddToScheme(types))
	must(meta.AddMetaToScheme(types))
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, "# The types of the Kubernetes %s API. Type and Field say what the words mean.\n", minorVersion())
	walk := newWalk()
	for _, each := range served {
		groupVersion, only, _ := strings.Cut(each, " ")
		gv, err := schema.ParseGroupVersion(groupVersion)
		must(err)
		for _, kind := range kinds(types, gv, only) {
			typ := types.KnownTypes(gv)[kind]
			walk.visit(typ)
			fmt.Fprintf(out, "kind %s %s %s\n", groupVersion, kind, nameOf(typ))
		}
	}
	walk.print(out)
}

func kinds(types *runtime.Scheme, gv schema.GroupVersion, only string) []string {
	var kinds []string
	for kind := range types.KnownTypes(gv) {
		if !contains(unsent, kind) && (only == "" || kind == only) {
			kinds = append(kinds, kind)
		}
	}
	sort.Strings(kinds)
	return kinds
}

// nameOf is `core.v1.Pod` for the type of that name in k8s.io/api/core/v1.
func nameOf(typ reflect.Type) string {
	path := strings.Split(typ.PkgPath(), "/")
	return path[len(path)-2] + "." + path[len(path)-1] + "." + typ.Name()
}

func contains(list []string, word string) bool {
	for _, each := range list {
		if each == word {
			return true
		}
	}
	return false
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

package main

import (
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
)

// walk finds the types that objects are made of.
type walk struct {
	found map[string]reflect.Type
	api   *definitions
}

func newWalk() *walk {
	return &walk{found: map[string]reflect.Type{}, api: readDefinitions()}
}

func (w *walk) visit(typ reflect.Type) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || scalarOf(typ) != "" || w.found[nameOf(typ)] != nil {
		return
	}
	w.found[nameOf(typ)] = typ
	for i := 0; i < typ.NumField(); i++ {
		if isField(typ.Field(i)) {
			w.visit(typ.Field(i).Type)
		}
	}
}

// isField tells fields of the wire from those that a decoder fills in, and from TypeMeta, which every
// object has.
func isField(field reflect.StructField) bool {
	return field.IsExported() && field.Type.Name() != "TypeMeta" && (numberOf(field) > 0 || hasJson(field))
}

func hasJson(field reflect.StructField) bool {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name != "" && name != "-"
}

func numberOf(field reflect.StructField) int {
	parts := strings.Split(field.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return 0
	}
	number, err := strconv.Atoi(parts[1])
	must(err)
	return number
}

func (w *walk) print(out io.Writer) {
	names := make([]string, 0, len(w.found))
	for name := range w.found {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		w.printType(out, name, w.found[name])
	}
}

func (w *walk) printType(out io.Writer, name string, typ reflect.Type) {
	schema := w.api.of(typ)
	atomic := ""
	if extension(schema, "x-kubernetes-map-type") == "atomic" {
		atomic = " atomic"
	}
	fmt.Fprintf(out, "type %s%s\n", name, atomic)
	for i := 0; i < typ.NumField(); i++ {
		if isField(typ.Field(i)) {
			fmt.Fprintf(out, " %s\n", w.line(typ, typ.Field(i)))
		}
	}
}

// minorVersion is 1.37 for a build against k8s.io/api v0.37.1.
func minorVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "?"
	}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		if module.Path == "k8s.io/api" {
			return "1." + strings.Split(module.Version, ".")[1]
		}
	}
	return "?"
}

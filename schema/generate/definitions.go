package main

import (
	"reflect"

	"k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/generated/openapi"
)

// definitions are what OpenAPI says of types, by package path and name.
type definitions struct {
	byName map[string]common.OpenAPIDefinition
}

func readDefinitions() *definitions {
	reference := func(path string) spec.Ref { return spec.MustCreateRef("#/definitions/" + path) }
	return &definitions{byName: openapi.GetOpenAPIDefinitions(reference)}
}

func (d *definitions) of(typ reflect.Type) spec.Schema {
	if definition, ok := d.byName[typ.PkgPath()+"."+typ.Name()]; ok {
		return definition.Schema
	}
	named, ok := reflect.New(typ).Interface().(interface{ OpenAPIModelName() string })
	if !ok {
		return spec.Schema{}
	}
	return d.byName[named.OpenAPIModelName()].Schema
}

func extension(schema spec.Schema, name string) string {
	text, _ := schema.Extensions.GetString(name)
	return text
}

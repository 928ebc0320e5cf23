package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sort"
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// line is a field as the table has it: name, protobuf number, type, then words.
func (w *walk) line(owner reflect.Type, field reflect.StructField) string {
	name, options := jsonOf(field)
	inline := isInline(field)
	words := []string{name, strconv.Itoa(numberOf(field)), typeOf(field.Type)}
	property := spec.Schema{}
	if inline {
		words = append(words, "inline")
	} else {
		schema := w.api.of(owner)
		property = schema.Properties[name]
		words = append(words, presence(field, options, contains(schema.Required, name))...)
	}
	if goName := goNameOf(field.Type); goName != "" {
		words = append(words, "go="+goName)
	}
	words = append(words, merging(property, isKept(field, options))...)
	return strings.Join(words, " ")
}

// jsonOf names what stands in its owner after its Go field, and gives a union's members, which have
// no name, the name `-`.
func jsonOf(field reflect.StructField) (string, []string) {
	parts := strings.Split(field.Tag.Get("json"), ",")
	switch {
	case isInline(field):
		return strings.ToLower(field.Name[:1]) + field.Name[1:], parts[1:]
	case parts[0] == "":
		return "-", parts[1:]
	}
	return parts[0], parts[1:]
}

// isInline says that in JSON the parts of this field stand in its owner.
func isInline(field reflect.StructField) bool {
	return field.Anonymous && !hasJson(field)
}

func presence(field reflect.StructField, options []string, required bool) []string {
	var words []string
	if field.Type.Kind() == reflect.Pointer {
		words = append(words, "ptr")
	}
	if required {
		words = append(words, "req")
	}
	if isKept(field, options) {
		words = append(words, "keep")
	}
	if contains(options, "omitzero") {
		words = append(words, "omitzero")
	}
	return words
}

// isKept says that a field is written even when it is empty.
func isKept(field reflect.StructField, options []string) bool {
	return hasJson(field) && !contains(options, "omitempty") && !contains(options, "omitzero")
}

// merging is what patches, apply, defaults and values say.
func merging(property spec.Schema, kept bool) []string {
	var words []string
	if strategy := extension(property, "x-kubernetes-patch-strategy"); strategy != "" {
		if key := extension(property, "x-kubernetes-patch-merge-key"); key != "" {
			strategy += ":" + key
		}
		words = append(words, "patch="+strategy)
	}
	if list := extension(property, "x-kubernetes-list-type"); list != "" {
		if keys, ok := property.Extensions.GetStringSlice("x-kubernetes-list-map-keys"); ok {
			list += ":" + strings.Join(keys, ",")
		}
		words = append(words, "list="+list)
	}
	if typ := extension(property, "x-kubernetes-map-type"); typ != "" {
		words = append(words, "map="+typ)
	}
	if isStated(property, kept) {
		text, err := json.Marshal(property.Default)
		must(err)
		words = append(words, "default="+string(text))
	}
	if values := enumOf(property); len(values) > 0 {
		words = append(words, "enum="+strings.Join(values, "|"))
	}
	return words
}

// isStated tells a default from the zero that OpenAPI gives every field that is always written.
func isStated(property spec.Schema, kept bool) bool {
	if property.Default == nil {
		return false
	}
	fields, isObject := property.Default.(map[string]interface{})
	if isObject {
		return len(fields) > 0
	}
	return !kept || !reflect.ValueOf(property.Default).IsZero()
}

func enumOf(property spec.Schema) []string {
	if property.Items != nil && property.Items.Schema != nil && len(property.Enum) == 0 {
		property = *property.Items.Schema
	}
	var values []string
	for _, value := range property.Enum {
		values = append(values, fmt.Sprint(value))
	}
	sort.Strings(values)
	return values
}

// typeOf is `core.v1.Volume[]`, `string{}`, `quantity`.
func typeOf(typ reflect.Type) string {
	if scalar := scalarOf(typ); scalar != "" {
		return scalar
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return typeOf(typ.Elem())
	case reflect.Slice:
		return typeOf(typ.Elem()) + "[]"
	case reflect.Map:
		return typeOf(typ.Elem()) + "{}"
	}
	return nameOf(typ)
}

// scalarOf is "" for what is made of fields or elements.
func scalarOf(typ reflect.Type) string {
	switch typ.String() {
	case "resource.Quantity":
		return "quantity"
	case "intstr.IntOrString":
		return "intOrString"
	case "v1.Time":
		return "time"
	case "v1.MicroTime":
		return "microTime"
	case "v1.Duration":
		return "duration"
	case "runtime.RawExtension", "v1.FieldsV1", "v1.JSON":
		return "json"
	}
	switch typ.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int32, reflect.Uint32:
		return "int32"
	case reflect.Int64, reflect.Int:
		return "int64"
	case reflect.Float64:
		return "double"
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
	}
	return ""
}

// goNameOf is how error texts name a type of whose name the table's type says nothing.
func goNameOf(typ reflect.Type) string {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	plain := typ.Name() == "" || typ.PkgPath() == ""
	switch typ.Kind() {
	case reflect.Struct:
		return ""
	case reflect.Slice, reflect.Map:
		if plain && !isNamed(typ.Elem()) && (typ.Kind() == reflect.Slice || !isNamed(typ.Key())) {
			return ""
		}
		return typ.String()
	}
	if plain {
		return ""
	}
	return typ.String()
}

func isNamed(typ reflect.Type) bool {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	return typ.PkgPath() != "" && typ.Kind() != reflect.Struct
}

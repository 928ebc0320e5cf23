package io.berth.schema.crd;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import java.util.HashSet;
import java.util.List;

/// `x-kubernetes-list-type`, `x-kubernetes-list-map-keys` and `x-kubernetes-map-type`.
final class ListTypeChecks {

  private final Tree schema;
  private final FieldPath path;
  private final FieldErrors errors;
  private final String listType;
  private final FieldPath listTypePath;
  private final FieldPath keysPath;

  private ListTypeChecks(Tree schema, FieldPath path, FieldErrors errors) {
    this.schema = schema;
    this.path = path;
    this.errors = errors;
    this.listType = schema.textOrEmpty("x-kubernetes-list-type");
    this.listTypePath = path.child("x-kubernetes-list-type");
    this.keysPath = path.child("x-kubernetes-list-map-keys");
  }

  static void check(Tree schema, FieldPath path, FieldErrors errors) {
    var checks = new ListTypeChecks(schema, path, errors);
    checks.mapType();
    checks.listType();
    checks.keys();
    checks.elements();
  }

  private void mapType() {
    if (schema.get("x-kubernetes-map-type") == null) {
      return;
    }
    typeMustBe("object", "x-kubernetes-map-type");
    var mapType = schema.textOrEmpty("x-kubernetes-map-type");
    var types = List.of("atomic", "granular");
    if (!types.contains(mapType)) {
      errors.notSupported(path.child("x-kubernetes-map-type"), mapType, types);
    }
  }

  private boolean typeMustBe(String wanted, String because) {
    var type = schema.textOrEmpty("type");
    if (type.equals(wanted)) {
      return true;
    }
    var detail = "must be " + wanted + " if " + because + " is specified";
    if (type.isEmpty()) {
      errors.required(path.child("type"), detail);
    } else {
      errors.invalid(path.child("type"), type, detail);
    }
    return false;
  }

  private void listType() {
    if (schema.get("x-kubernetes-list-type") == null) {
      return;
    }
    var items = schema.tree("items");
    if (typeMustBe("array", "x-kubernetes-list-type") && listType.equals("set") && items != null) {
      elementsOfSet(items);
    }
    var types = List.of("atomic", "set", "map");
    if (!types.contains(listType)) {
      errors.notSupported(listTypePath, listType, types);
    }
  }

  private void elementsOfSet(Tree items) {
    var detail = "must be atomic as item of a list with x-kubernetes-list-type=set";
    var inner = items.text("x-kubernetes-list-type");
    if (items.textOrEmpty("type").equals("array") && inner != null && !inner.equals("atomic")) {
      errors.invalid(path.child("items", "x-kubernetes-list-type"), inner, detail);
    }
    if (items.textOrEmpty("type").equals("object")
        && !items.textOrEmpty("x-kubernetes-map-type").equals("atomic")) {
      errors.invalid(path.child("items", "x-kubernetes-map-type"), inner, detail);
    }
  }

  private void keys() {
    var keys = schema.list("x-kubernetes-list-map-keys");
    if (!keys.isEmpty() && !listType.equals("map")) {
      var detail = "must be map if x-kubernetes-list-map-keys is non-empty";
      if (schema.get("x-kubernetes-list-type") == null) {
        errors.required(listTypePath, detail);
      } else {
        errors.invalid(listTypePath, listType, detail);
      }
    }
    if (!listType.equals("map")) {
      return;
    }
    if (keys.isEmpty()) {
      errors.required(keysPath, "must not be empty if x-kubernetes-list-type is map");
    }
    var items = schema.tree("items");
    if (items == null) {
      errors.required(path.child("items"), "must have a schema if x-kubernetes-list-type is map");
    } else if (!items.textOrEmpty("type").equals("object")) {
      errors.invalid(
          path.child("items", "type"),
          items.textOrEmpty("type"),
          "must be object if parent array's x-kubernetes-list-type is map");
    } else {
      keysOf(items, keys);
    }
  }

  private void keysOf(Tree items, List<?> keys) {
    var seen = new HashSet<Object>();
    for (var key : keys) {
      var property = items.tree("properties", String.valueOf(key));
      if (property == null) {
        errors.invalid(keysPath, keys, "entries must all be names of item properties");
      } else if (List.of("array", "object").contains(property.textOrEmpty("type"))) {
        errors.invalid(
            path.child("items", "properties").key(String.valueOf(key)).child("type"),
            items.textOrEmpty("type"),
            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (!seen.add(key)) {
        errors.invalid(keysPath, keys, "must not contain duplicate entries");
      }
    }
  }

  /// Elements that are told apart must always have what tells them apart.
  private void elements() {
    var items = schema.tree("items");
    if (items == null || !List.of("set", "map").contains(listType)) {
      return;
    }
    if (items.flag("nullable")) {
      errors.forbidden(
          path.child("items", "nullable"),
          "cannot be nullable when x-kubernetes-list-type is " + listType);
    }
    if (!listType.equals("map")) {
      return;
    }
    for (var each : schema.list("x-kubernetes-list-map-keys")) {
      var key = String.valueOf(each);
      var property = items.tree("properties", key);
      var at = path.child("items", "properties").key(key);
      if (property == null) {
        continue;
      }
      if (!items.list("required").contains(key) && property.get("default") == null) {
        errors.required(
            at.child("default"),
            "this property is in x-kubernetes-list-map-keys, so it must have a default or be a"
                + " required property");
      }
      if (property.flag("nullable")) {
        errors.forbidden(
            at.child("nullable"),
            "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
      }
    }
  }
}

package io.berth.schema.cel;

import static io.berth.schema.cel.KubernetesFunctions.STRING;

import dev.cel.common.types.SimpleType;

/// `jsonpatch.escapeKey`.
final class PatchFunctions {

  private PatchFunctions() {}

  static void addTo(Functions functions) {
    functions.global(
        "jsonpatch.escapeKey",
        "string_jsonpatch_escapeKey_string",
        SimpleType.STRING,
        STRING,
        key -> key.replace("~", "~0").replace("/", "~1"));
  }
}

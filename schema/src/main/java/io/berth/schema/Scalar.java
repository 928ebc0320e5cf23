package io.berth.schema;

import java.util.Locale;

/// What a value is, apart from lists and maps of it.
public enum Scalar {
  STRING,
  BOOL,
  INT32,
  INT64,
  DOUBLE,
  /// Base64 text in JSON.
  BYTES,
  /// An amount with a suffix, text in JSON: `500m`, `1Gi`.
  QUANTITY,
  /// A number or a text: a port, or a percentage.
  INT_OR_STRING,
  /// RFC 3339 with seconds.
  TIME,
  /// RFC 3339 with microseconds.
  MICRO_TIME,
  /// Any JSON value, kept as it is.
  JSON,
  /// An object whose kind is not known here, kept as it is.
  RAW_EXTENSION,
  /// The fields that a manager owns, kept as they are.
  FIELDS_V1,
  /// An object of a [Type] of the table.
  MESSAGE;

  /// The scalar of this name in the table; names that are none are those of types.
  static Scalar of(String name) {
    return switch (name) {
      case "intOrString" -> INT_OR_STRING;
      case "microTime" -> MICRO_TIME;
      case "rawExtension" -> RAW_EXTENSION;
      case "fieldsV1" -> FIELDS_V1;
      case "string", "bool", "int32", "int64", "double", "bytes", "quantity", "time", "json" ->
          valueOf(name.toUpperCase(Locale.ROOT));
      default -> MESSAGE;
    };
  }
}

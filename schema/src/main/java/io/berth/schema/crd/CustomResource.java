package io.berth.schema.crd;

import io.berth.api.ApiException;
import io.berth.api.FieldError;
import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Tree;
import io.berth.codec.Document;
import io.berth.codec.Json;
import io.berth.codec.SyntaxException;
import io.berth.codec.Yaml;
import io.berth.schema.Canonical;
import io.berth.schema.Decoded;
import io.berth.schema.Decoder;
import io.berth.schema.DecodingException;
import io.berth.schema.Duplicates;
import io.berth.schema.FieldValidation;
import io.berth.schema.Type;
import io.berth.schema.Types;
import io.berth.schema.apply.Structure;
import io.berth.schema.apply.TypeStructure;
import io.berth.schema.patch.Patched;
import io.berth.schema.patch.Patcher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The objects of one version of a custom kind: decoded, pruned and with defaults.
///
/// Unlike built-in kinds, a custom resource keeps what its schema lets pass, in the order and form
/// it came; only `metadata` is of the type table.
public final class CustomResource {

  private static final Type METADATA = Types.kubernetes().type("meta.v1.ObjectMeta");
  static final TypeStructure METADATA_STRUCTURE = TypeStructure.of(METADATA);

  private final String apiVersion;
  private final String kind;
  private final StructuralSchema schema;
  private final ObjectRules rules;

  /// `schema` is the version's `openAPIV3Schema`.
  public CustomResource(String apiVersion, String kind, Tree schema) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.schema = StructuralSchema.of(schema);
    this.rules = new ObjectRules(schema, this.schema);
  }

  /// Decodes a JSON body.
  public Decoded json(byte[] body, FieldValidation validation) {
    try {
      return decode(body, Json.readReporting(body), validation);
    } catch (SyntaxException e) {
      throw Decoder.unrecognized(kind, body, "json parse error: " + e.getMessage());
    }
  }

  /// Decodes a YAML body.
  public Decoded yaml(byte[] body, FieldValidation validation) {
    try {
      return decode(body, Yaml.readReporting(new String(body, StandardCharsets.UTF_8)), validation);
    } catch (SyntaxException e) {
      throw unrecognized("error converting YAML to JSON: yaml: " + e.getMessage());
    }
  }

  /// Decodes a tree made in this process.
  public Decoded tree(Tree tree, FieldValidation validation) {
    return decode(Json.write(tree), new Document(tree, Map.of(), List.of()), validation);
  }

  /// What came out of a JSON or merge patch, pruned and with defaults.
  public Decoded patched(Patched patched, FieldValidation validation) {
    var shown = Json.text(patched.value());
    var complaints = new ArrayList<>(patched.complaints());
    checkSameKind(patched.tree());
    checkSameVersion(patched.tree());
    try {
      var tree = complete(patched.tree(), complaints);
      if (validation == FieldValidation.STRICT && !complaints.isEmpty()) {
        throw Patcher.invalidPatch(shown, Decoder.strictError(complaints));
      }
      return decoded(tree, complaints, validation);
    } catch (DecodingException e) {
      throw Patcher.invalidPatch(shown, String.valueOf(e.getMessage()));
    }
  }

  /// What came out of server-side apply, pruned and with defaults.
  public Tree completed(Tree merged) {
    return complete(merged, new ArrayList<>());
  }

  /// An object as this version stores it, and as it comes from the store when this is the storage
  /// version: pruned and with defaults.
  public Tree stored(Tree object) {
    return complete(object.copy(), new ArrayList<>());
  }

  /// An object as this version stores it: without what the version does not have.
  public Tree settled(Tree object) {
    return pruned(object.copy(), new ArrayList<>());
  }

  /// A stored object as this version shows it: what the version does not have is left out. As in
  /// Kubernetes, defaults that only this version has are not filled in.
  public Tree shown(Tree stored) {
    return pruned(stored.copy(), new ArrayList<>());
  }

  /// What the schema asks of objects.
  public ObjectRules rules() {
    return rules;
  }

  /// How the fields are owned in server-side apply.
  public Structure structure() {
    return SchemaStructure.ofRoot(schema, METADATA_STRUCTURE);
  }

  /// An object without anything in it, for server-side apply to start from.
  public Tree empty() {
    return Tree.of("apiVersion", apiVersion, "kind", kind, "metadata", new Tree());
  }

  private Decoded decode(byte[] body, Document document, FieldValidation validation) {
    var raw = document.value() == null ? new Tree() : document.value();
    if (!(raw instanceof Tree tree)) {
      throw Decoder.unrecognized(kind, body, "json parse error: " + Decoder.notAnObject(raw));
    }
    checkKind(tree, body);
    List<String> complaints = new ArrayList<>(document.complaints());
    complaints.addAll(Duplicates.of(document));
    Tree complete;
    try {
      complete = complete(tree, complaints);
    } catch (DecodingException e) {
      throw cannotBeHandled(kind, String.valueOf(e.getMessage()));
    }
    if (validation == FieldValidation.STRICT && !complaints.isEmpty()) {
      throw cannotBeHandled(kind, Decoder.strictError(complaints));
    }
    return decoded(complete, complaints, validation);
  }

  private static Decoded decoded(Tree tree, List<String> complaints, FieldValidation validation) {
    return new Decoded(
        tree, validation == FieldValidation.WARN ? List.copyOf(complaints) : List.of());
  }

  private void checkKind(Tree tree, byte[] body) {
    // Without a type in the program, Kubernetes cannot fill this in as it does for its own kinds.
    if (tree.textOrEmpty("kind").isEmpty()) {
      var problem =
          "Object 'Kind' is missing in '%s'".formatted(new String(body, StandardCharsets.UTF_8));
      throw Decoder.unrecognized(kind, body, problem, "");
    }
    var givenVersion = tree.textOrEmpty("apiVersion");
    if (!givenVersion.equals(apiVersion)) {
      throw ApiException.badRequest(
          "the API version in the data (%s) does not match the expected API version (%s)"
              .formatted(givenVersion, apiVersion));
    }
    checkSameKind(tree);
  }

  private void checkSameKind(Tree tree) {
    var givenKind = tree.textOrEmpty("kind");
    if (!givenKind.equals(kind)) {
      var errors = new FieldErrors();
      errors.invalid(FieldPath.of("kind"), givenKind, "must be " + kind);
      throw errors.toException(
          apiVersion.substring(0, apiVersion.indexOf('/')),
          givenKind,
          tree.textOrEmpty("metadata", "name"));
    }
  }

  /// A patch may not say that the object is of another version.
  private void checkSameVersion(Tree tree) {
    var given = tree.textOrEmpty("apiVersion");
    if (!given.equals(apiVersion)) {
      var errors = new FieldErrors();
      errors.invalid(FieldPath.of("apiVersion"), given, "must be " + apiVersion);
      throw errors.toException(
          given.substring(0, Math.max(0, given.indexOf('/'))),
          kind,
          tree.textOrEmpty("metadata", "name"));
    }
  }

  private Tree complete(Tree tree, List<String> complaints) {
    var complete = pruned(tree, complaints);
    schema.setDefaults(complete);
    return complete;
  }

  /// Canonical metadata and no unknown fields; complaints are added to `complaints`.
  private Tree pruned(Tree tree, List<String> complaints) {
    var unknownMetadata = new ArrayList<String>();
    var metadata = Canonical.ofPatched(METADATA, tree.treeOrEmpty("metadata"), unknownMetadata);
    for (var complaint : unknownMetadata) {
      complaints.add(complaint.replaceFirst("\"", "\"metadata."));
    }
    var pruned = Tree.of("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
    tree.fields()
        .forEach((name, value) -> {
          if (!pruned.has(name)) {
            pruned.put(name, value);
          }
        });
    var unknown = new ArrayList<String>();
    schema.prune(pruned, "", true, unknown);
    unknown.stream()
        .sorted()
        .forEach(path -> complaints.add("unknown field " + FieldError.quoted(path)));
    EmbeddedResources.complete(pruned, schema, "", complaints);
    return pruned;
  }

  private ApiException cannotBeHandled(String givenKind, String problem) {
    var version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    return ApiException.badRequest(
        "%s in version \"%s\" cannot be handled as a %s: %s"
            .formatted(givenKind, version, kind, problem));
  }

  private ApiException unrecognized(String problem) {
    return ApiException.badRequest(
        "the object provided is unrecognized (must be of type %s): %s".formatted(kind, problem));
  }
}

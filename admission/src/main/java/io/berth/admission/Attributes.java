package io.berth.admission;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A write on its way to the store.
///
/// `object` is what is to be stored, `null` for deletions; the mutating phase changes it in place.
/// `oldObject` is what is stored now, for updates and deletions, frozen. For subresources with
/// kinds of their own (`pods/binding`, `pods/eviction`) the object is of that kind. `name` is empty
/// when the server is still to generate it.
public final class Attributes {

  private final Operation operation;
  private final Resource resource;
  private final String subresource;
  private final String namespace;
  private final String name;
  private final @Nullable Tree object;
  private final @Nullable Tree oldObject;
  private final User user;
  private final boolean dryRun;
  private final Resource requested;
  private final Tree options;
  private final List<String> warnings = new ArrayList<>();
  private final Map<String, String> annotations = new LinkedHashMap<>();
  private @Nullable Reinvocation reinvocation;

  public Attributes(
      Operation operation,
      Resource resource,
      String subresource,
      String namespace,
      String name,
      @Nullable Tree object,
      @Nullable Tree oldObject,
      User user,
      boolean dryRun) {
    this(
        operation,
        resource,
        subresource,
        namespace,
        name,
        object,
        oldObject,
        user,
        dryRun,
        resource,
        new Tree());
  }

  /// `requested` is the version of the resource the client speaks, `options` are those of its
  /// request.
  public Attributes(
      Operation operation,
      Resource resource,
      String subresource,
      String namespace,
      String name,
      @Nullable Tree object,
      @Nullable Tree oldObject,
      User user,
      boolean dryRun,
      Resource requested,
      Tree options) {
    this.operation = operation;
    this.resource = resource;
    this.subresource = subresource;
    this.namespace = namespace;
    this.name = name;
    this.object = object;
    this.oldObject = oldObject;
    this.user = user;
    this.dryRun = dryRun;
    this.requested = requested;
    this.options = options;
  }

  public Operation operation() {
    return operation;
  }

  public Resource resource() {
    return resource;
  }

  /// `status`, `binding`, …, or `""`.
  public String subresource() {
    return subresource;
  }

  public String namespace() {
    return namespace;
  }

  public String name() {
    return name;
  }

  public User user() {
    return user;
  }

  public boolean dryRun() {
    return dryRun;
  }

  /// The object to be stored. Not to be asked for in deletions.
  public Tree object() {
    return Objects.requireNonNull(object, "a deletion has no object");
  }

  /// The stored object. Only to be asked for in updates and deletions.
  public Tree oldObject() {
    return Objects.requireNonNull(oldObject, "a creation has no old object");
  }

  public boolean hasObject() {
    return object != null;
  }

  public boolean hasOldObject() {
    return oldObject != null;
  }

  /// Whether this writes the main resource (no subresource) of that group and plural.
  public boolean isFor(Resource wanted) {
    return subresource.isEmpty() && isOn(wanted);
  }

  /// Whether this writes that resource or one of its subresources.
  public boolean isOn(Resource wanted) {
    return resource.plural().equals(wanted.plural()) && resource.group().equals(wanted.group());
  }

  public boolean isFor(Resource wanted, String wantedSubresource) {
    return subresource.equals(wantedSubresource) && isOn(wanted);
  }

  public boolean is(Operation wanted) {
    return operation == wanted;
  }

  /// Something the client is told in a `Warning` header of an answer that succeeds.
  public void warn(String warning) {
    warnings.add(warning);
  }

  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /// The version of the resource the client speaks.
  public Resource requested() {
    return requested;
  }

  /// `CreateOptions`, `UpdateOptions` or `DeleteOptions` of the request.
  public Tree options() {
    return options;
  }

  /// Something the audit log is told.
  public void annotate(String key, String value) {
    annotations.put(key, value);
  }

  public Map<String, String> annotations() {
    return Map.copyOf(annotations);
  }

  /// Whether and for whom the mutating phase is repeated.
  public Reinvocation reinvocation() {
    if (reinvocation == null) {
      reinvocation = new Reinvocation();
    }
    return reinvocation;
  }

  /// Gives the object another content.
  public void replaceObject(Tree content) {
    var own = object();
    for (var field : List.copyOf(own.names())) {
      own.remove(field);
    }
    content.fields().forEach(own::put);
  }

  /// The refusal of this request, `pods "p" is forbidden: why`.
  public ApiException forbidden(String why) {
    return ApiException.forbidden(resource, refusedName(), why);
  }

  /// The name refusals show: that of the request, else of the object, else how the name would have
  /// begun, else `Unknown`, as in Kubernetes.
  private String refusedName() {
    if (!name.isEmpty()) {
      return name;
    }
    var meta = object == null ? new Tree() : object.treeOrEmpty("metadata");
    for (var field : List.of("name", "generateName")) {
      if (!meta.textOrEmpty(field).isEmpty()) {
        return meta.textOrEmpty(field);
      }
    }
    return "Unknown";
  }
}

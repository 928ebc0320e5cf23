package io.berth.kinds.custom;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.meta.VersionOrder;
import io.berth.schema.crd.CustomResource;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A `CustomResourceDefinition` that was accepted, read once: the versions it defines.
public final class CustomDefinition {

  private final Tree definition;
  private final List<CustomVersion> versions = new ArrayList<>();
  private @Nullable CustomVersion storage;

  public CustomDefinition(Tree definition) {
    this.definition = definition;
    for (var version : definition.trees("spec", "versions")) {
      var read = version(version);
      versions.add(read);
      if (version.flag("storage")) {
        storage = read;
      }
    }
  }

  private CustomVersion version(Tree version) {
    var names = names();
    var resource =
        new Resource(
            group(),
            version.textOrEmpty("name"),
            names.textOrEmpty("plural"),
            names.textOrEmpty("kind"),
            definition.textOrEmpty("spec", "scope").equals("Namespaced"));
    var schema = version.treeOrEmpty("schema", "openAPIV3Schema");
    var objects = new CustomResource(resource.apiVersion(), resource.kind(), schema);
    return new CustomVersion(
        resource,
        names.textOrEmpty("listKind"),
        objects,
        new CustomStrategy(resource, version, objects),
        schema,
        deprecation(version, resource),
        version.flag("served"),
        isTerminating());
  }

  private String deprecation(Tree version, Resource resource) {
    if (!version.flag("deprecated")) {
      return "";
    }
    var own = version.text("deprecationWarning");
    if (own != null) {
      return own;
    }
    var deprecated = resource.apiVersion() + " " + resource.kind() + " is deprecated";
    var better = better(version.textOrEmpty("name"));
    return better == null
        ? deprecated
        : "%s; use %s/%s %s".formatted(deprecated, group(), better, resource.kind());
  }

  /// The newest version after this one that nobody is warned of.
  private @Nullable String better(String name) {
    return definition.trees("spec", "versions").stream()
        .filter(version -> version.flag("served") && !version.flag("deprecated"))
        .map(version -> version.textOrEmpty("name"))
        .filter(other -> VersionOrder.NEWEST_FIRST.compare(other, name) < 0)
        .min(VersionOrder.NEWEST_FIRST)
        .orElse(null);
  }

  public String group() {
    return definition.textOrEmpty("spec", "group");
  }

  /// The names under which it is served; they may lag behind those it asks for.
  public Tree names() {
    return definition.treeOrEmpty("status", "acceptedNames");
  }

  /// All versions, in the order of the definition.
  public List<CustomVersion> versions() {
    return versions;
  }

  /// The version of that `apiVersion`.
  public Optional<CustomVersion> find(String apiVersion) {
    return versions.stream()
        .filter(version -> version.resource().apiVersion().equals(apiVersion))
        .findFirst();
  }

  /// The version in which objects are stored.
  public CustomVersion storage() {
    if (storage == null) {
      throw new NoSuchElementException("no version of " + names() + " is the storage version");
    }
    return storage;
  }

  /// Whether all that is stored has the form its version would give it today: there is but one
  /// version, it is as it was from the start, and it has no default for the status that is taken
  /// from new objects.
  public boolean isUnchanged() {
    return versions.size() == 1
        && definition.number(0, "metadata", "generation") <= 1
        && definition.trees("spec", "versions").stream().noneMatch(CustomDefinition::fillsStatus);
  }

  private static boolean fillsStatus(Tree version) {
    return version.at("subresources", "status") != null
        && version.at("schema", "openAPIV3Schema", "properties", "status", "default") != null;
  }

  /// The webhook that converts objects, or `null` when versions differ in little but their names.
  public @Nullable Tree webhook() {
    return definition.textOrEmpty("spec", "conversion", "strategy").equals("Webhook")
        ? definition.tree("spec", "conversion", "webhook")
        : null;
  }

  /// The subresources of a version, as its definition has them.
  public Tree subresources(String version) {
    for (var each : definition.trees("spec", "versions")) {
      if (each.textOrEmpty("name").equals(version)) {
        return each.treeOrEmpty("subresources");
      }
    }
    return new Tree();
  }

  public boolean isTerminating() {
    return definition.at("metadata", "deletionTimestamp") != null;
  }
}

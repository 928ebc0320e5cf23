package io.berth.admission.request;

import io.berth.admission.Attributes;
import io.berth.admission.Lookup;
import io.berth.api.Resource;
import io.berth.api.Tree;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/// A request as one version of its resource shows it. Used by one thread.
public final class Seen {

  private final Attributes request;
  private final Lookup lookup;
  private final Resource version;
  private @Nullable Tree object;
  private boolean changed;
  private final @Nullable Tree oldObject;

  public Seen(Attributes request, Resource version, Lookup lookup) {
    this.request = request;
    this.lookup = lookup;
    this.version = version;
    this.object = request.hasObject() ? shown(request.object()) : null;
    this.oldObject = request.hasOldObject() ? shown(request.oldObject()) : null;
  }

  /// What subresources show as kinds of their own has one version only.
  private boolean isConverted() {
    return !version.equals(request.resource())
        && isKind(request.hasObject() ? request.object() : request.oldObject());
  }

  private boolean isKind(@Nullable Tree any) {
    return any == null || any.textOrEmpty("kind").equals(request.resource().kind());
  }

  private Tree shown(Tree stored) {
    return isConverted() ? lookup.shown(version, stored) : stored;
  }

  public Attributes attributes() {
    return request;
  }

  public Resource version() {
    return version;
  }

  /// The object in this version, `null` in deletions. Not to be changed.
  public @Nullable Tree object() {
    return object;
  }

  public @Nullable Tree oldObject() {
    return oldObject;
  }

  /// Gives the request another object, which is in this version.
  public void change(Tree changed) {
    request.replaceObject(isKind(changed) ? judged(lookup.stored(version, changed)) : changed);
    object = shown(request.object());
    this.changed = true;
  }

  /// The object in the version the request is judged in.
  private Tree judged(Tree stored) {
    var wanted = request.resource();
    return stored.textOrEmpty("apiVersion").equals(wanted.apiVersion())
        ? stored
        : lookup.shown(wanted, stored);
  }

  /// Whether [#change] was called.
  public boolean isChanged() {
    return changed;
  }

  /// `AdmissionRequest` without its id and the objects.
  public Tree request() {
    var kind = kind(version);
    var asked = kind(request.requested());
    var tree = Tree.of("uid", "", "kind", kind, "resource", resource(version));
    putText(tree, "subResource", request.subresource());
    tree.put("requestKind", asked).put("requestResource", resource(request.requested()));
    putText(tree, "requestSubResource", request.subresource());
    putText(tree, "name", request.name());
    putText(tree, "namespace", Matcher.namespaceOf(request));
    tree.put("operation", request.operation().name());
    tree.put("userInfo", user());
    tree.put("dryRun", request.dryRun());
    return tree.put("options", request.options().isEmpty() ? null : request.options());
  }

  private static void putText(Tree tree, String field, String text) {
    if (!text.isEmpty()) {
      tree.put(field, text);
    }
  }

  private Tree kind(Resource of) {
    var any = object != null ? object : oldObject;
    if (any != null && !request.subresource().isEmpty() && any.has("kind")) {
      var apiVersion = any.textOrEmpty("apiVersion");
      int slash = apiVersion.indexOf('/');
      boolean own = !any.textOrEmpty("kind").equals(of.kind());
      if (own) {
        return Tree.of(
            "group",
            slash < 0 ? "" : apiVersion.substring(0, slash),
            "version",
            apiVersion.substring(slash + 1),
            "kind",
            any.textOrEmpty("kind"));
      }
    }
    return Tree.of("group", of.group(), "version", of.version(), "kind", of.kind());
  }

  private static Tree resource(Resource of) {
    return Tree.of("group", of.group(), "version", of.version(), "resource", of.plural());
  }

  private Tree user() {
    var user = request.user();
    var tree = new Tree();
    putText(tree, "username", user.name());
    putText(tree, "uid", user.uid());
    if (!user.groups().isEmpty()) {
      tree.put("groups", new ArrayList<@Nullable Object>(user.groups()));
    }
    if (!user.extra().isEmpty()) {
      var extra = tree.child("extra");
      user.extra()
          .forEach((key, values) -> extra.put(key, new ArrayList<@Nullable Object>(values)));
    }
    return tree;
  }
}

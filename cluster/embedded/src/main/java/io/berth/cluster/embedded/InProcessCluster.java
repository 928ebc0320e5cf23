package io.berth.cluster.embedded;

import io.berth.admission.User;
import io.berth.api.ApiException;
import io.berth.api.Crew;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.cluster.Cluster;
import io.berth.codec.Json;
import io.berth.kinds.Kind;
import io.berth.schema.Decoder;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.patch.JsonPatch;
import io.berth.schema.patch.MergePatch;
import io.berth.schema.patch.Patcher;
import io.berth.server.registry.Context;
import io.berth.server.registry.ListOptions;
import io.berth.server.registry.Outcome;
import io.berth.server.registry.Registry;
import io.berth.server.registry.Served;
import io.berth.server.registry.WriteOptions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The embedded API as components of the same process use it: the same rules and the same refusals
/// as over HTTP, without bytes in between.
public final class InProcessCluster implements Cluster {

  private final Registry registry;
  private final String component;
  private final User user;
  private final InstantSource clock;
  private final Decoder decoder = new Decoder(Types.kubernetes());
  private final Patcher patcher = new Patcher(Types.kubernetes());

  /// `component` is the name under which fields are managed, such as `kube-scheduler`.
  public InProcessCluster(Registry registry, String component, InstantSource clock) {
    this(
        registry,
        component,
        User.of("system:" + component, "system:masters", "system:authenticated"),
        clock);
  }

  private InProcessCluster(Registry registry, String component, User user, InstantSource clock) {
    this.registry = registry;
    this.component = component;
    this.user = user;
    this.clock = clock;
  }

  /// The same API for somebody else. Admission judges by the user; nobody asks about their rights.
  public InProcessCluster as(User other) {
    return new InProcessCluster(registry, component, other, clock);
  }

  @Override
  public Crew crew() {
    return registry.store().crew();
  }

  @Override
  public Tree fetch(Resource resource, String namespace, String name) {
    var served = served(resource);
    return served.present(registry.fetch(served, namespace, name, "").object()).freeze();
  }

  @Override
  public Page list(Resource resource, String namespace, Selection selection) {
    var served = served(resource);
    var page = registry.list(served, namespace, options(selection));
    var items = new ArrayList<Tree>(page.entries().size());
    for (var object : served.presentAll(page.entries())) {
      items.add(object.freeze());
    }
    return new Page(String.valueOf(page.revision()), items);
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selection selection,
      String afterRevision,
      Watcher watcher) {
    var served = served(resource);
    var matches = registry.matcher(served, options(selection));
    return InProcessWatch.start(
        registry.store(), served, namespace, matches, Long.parseLong(afterRevision), watcher);
  }

  @Override
  public Tree create(Resource resource, Tree object) {
    return created(resource, object).object().freeze();
  }

  @Override
  public void send(Resource resource, Tree object) {
    var _ = created(resource, object);
  }

  private Outcome created(Resource resource, Tree object) {
    var served = served(resource);
    var namespace = object.textOrEmpty("metadata", "namespace");
    return registry.create(served, namespace, decoded(served, object), context());
  }

  @Override
  public Tree update(Resource resource, @Nullable String subresource, Tree object) {
    var served = served(resource);
    var meta = object.treeOrEmpty("metadata");
    return registry
        .update(
            served,
            subresource == null ? "" : subresource,
            meta.textOrEmpty("namespace"),
            meta.textOrEmpty("name"),
            decoded(served, object),
            context())
        .object()
        .freeze();
  }

  @Override
  public Tree patch(
      Resource resource,
      String namespace,
      String name,
      @Nullable String subresource,
      PatchType type,
      Object patch) {
    var served = served(resource);
    var body = Json.write(patch);
    return registry
        .patch(
            served,
            subresource == null ? "" : subresource,
            namespace,
            name,
            current -> patched(served, type, body, current),
            context())
        .object()
        .freeze();
  }

  private Tree patched(Served served, PatchType type, byte[] body, Tree current) {
    var custom = served.custom();
    if (custom != null) {
      var changed =
          switch (type) {
            case JSON -> JsonPatch.apply(body, current);
            case MERGE -> MergePatch.apply(body, current);
            case STRATEGIC, APPLY ->
                throw new UnsupportedOperationException("no " + type + " of custom resources");
          };
      return custom.objects().patched(changed, FieldValidation.IGNORE).tree();
    }
    return switch (type) {
      case JSON -> patcher.json(body, current, FieldValidation.IGNORE).tree();
      case MERGE -> patcher.merge(body, current, FieldValidation.IGNORE).tree();
      case STRATEGIC -> patcher.strategic(body, current, FieldValidation.IGNORE).tree();
      case APPLY ->
          throw new UnsupportedOperationException("components of this process do not apply");
    };
  }

  @Override
  public void delete(Resource resource, String namespace, String name, DeleteOptions options) {
    var wanted =
        new io.berth.server.registry.DeleteOptions(
            options.graceSeconds() < 0 ? null : options.graceSeconds(),
            options.uid(),
            null,
            options.policy(),
            null,
            false,
            false);
    registry.delete(served(resource), namespace, name, wanted, context());
  }

  @Override
  public Tree post(
      Resource resource, String namespace, String name, String subresource, Tree body) {
    return registry
        .post(served(resource), namespace, name, subresource, body.copy(), context())
        .freeze();
  }

  @Override
  public List<Resource> builtIn() {
    return registry.catalog().builtIn().stream().map(Kind::resource).toList();
  }

  /// Canonical form, as the decoder of requests makes it: quantities, empty fields, order.
  private Tree decoded(Served served, Tree object) {
    var resource = served.resource();
    var custom = served.custom();
    if (custom != null) {
      var named =
          object.copy().put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
      return custom.objects().tree(named, FieldValidation.IGNORE).tree();
    }
    return decoder
        .tree(object, resource.apiVersion(), resource.kind(), FieldValidation.IGNORE)
        .tree();
  }

  private Served served(Resource resource) {
    return registry
        .catalog()
        .find(resource.group(), resource.version(), resource.plural())
        .orElseThrow(() ->
            new ApiException(
                404, "NotFound", "the server could not find the requested resource", new Tree()));
  }

  private static ListOptions options(Selection selection) {
    return ListOptions.of(selection.labelSelector(), selection.fieldSelector());
  }

  private Context context() {
    return new Context(user, clock.instant(), WriteOptions.by(component));
  }
}

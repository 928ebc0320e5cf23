package io.berth.server.registry;

import io.berth.api.ApiException;
import io.berth.api.Tree;
import io.berth.schema.Canonical;
import io.berth.schema.Decoder;
import io.berth.schema.DecodingException;
import io.berth.schema.FieldValidation;
import io.berth.schema.Types;
import io.berth.schema.apply.FieldManager;
import io.berth.schema.apply.FieldSet;
import io.berth.schema.apply.ScaleFields;
import io.berth.schema.apply.Structure;
import io.berth.schema.apply.TypeStructure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Who owns which field: keeps `metadata.managedFields` true as objects are written, and merges
/// what is applied. There is one field manager per served kind and subresource.
final class ManagedFields {

  private static final Types TYPES = Types.kubernetes();

  private final InstantSource clock;
  private final FieldManager scales;
  private final Decoder decoder = new Decoder(TYPES);
  private final Map<String, FieldManager> managers = new ConcurrentHashMap<>();

  ManagedFields(InstantSource clock) {
    this.clock = clock;
    this.scales =
        FieldManager.of(TYPES, "autoscaling/v1", "Scale", "scale", FieldSet.of("status"), clock);
  }

  /// Notes what the caller wrote into a new object, given with defaults and before admission.
  void created(Served served, Tree object, Context context) {
    var manager = manager(served, "");
    if (manager != null) {
      track(served, manager, manager.empty(), object, context);
    }
  }

  /// Notes what the caller changed.
  void updated(Served served, String subresource, Tree old, Tree object, Context context) {
    var manager = manager(served, subresource);
    if (manager == null) {
      return;
    }
    track(served, manager, served.judgesServed() ? old : served.present(old), object, context);
  }

  /// As in Kubernetes, a write is not refused because its owners cannot be told: they stay as they
  /// were.
  private static void track(
      Served served, FieldManager manager, Tree live, Tree object, Context context) {
    try {
      note(served, manager, live, object, context);
    } catch (ApiException | IllegalArgumentException e) {
      keep(Tree.copyOf(live.at("metadata", "managedFields")), object);
    }
  }

  private static void note(
      Served served, FieldManager manager, Tree live, Tree object, Context context) {
    var name = context.options().manager();
    if (served.isStorage() || served.judgesServed()) {
      manager.update(live, object, name);
      return;
    }
    // Fields are owned as the caller sees them; the rest of the object is stored differently.
    var shown =
        served.isCustom()
            ? object.copy().put("apiVersion", served.resource().apiVersion())
            : served.present(object);
    manager.update(live, shown, name);
    keep(shown.at("metadata", "managedFields"), object);
  }

  private static void keep(@Nullable Object fields, Tree object) {
    if (fields == null) {
      object.child("metadata").remove("managedFields");
    } else {
      object.child("metadata").put("managedFields", fields);
    }
  }

  /// The live object (or a new one) with the applied configuration merged in, as it is served.
  Tree applied(
      Served served, String subresource, @Nullable Tree live, Tree applied, Context context) {
    var manager = manager(served, subresource);
    if (manager == null) {
      throw new UnsupportedOperationException("nothing is applied to " + served.resource());
    }
    var merged =
        manager.apply(
            live == null ? manager.empty() : live,
            applied,
            context.options().manager(),
            context.options().force());
    // As in Kubernetes, what changes nothing sets no defaults either.
    return served.isCustom() && live != null && isSame(live, merged)
        ? merged
        : converted(served, merged, applied);
  }

  private static boolean isSame(Tree live, Tree merged) {
    var before = live.copy();
    var after = merged.copy();
    keep(null, before);
    keep(null, after);
    return before.equals(after);
  }

  /// Kubernetes reads what it merged as late as this, and calls what it cannot read its own fault.
  private Tree converted(Served served, Tree merged, Tree configuration) {
    if (served.isCustom()) {
      return decoded(served, merged);
    }
    var resource = served.resource();
    try {
      return Canonical.ofMerged(
          TYPES.type(resource.apiVersion(), resource.kind()), merged, new ArrayList<>());
    } catch (DecodingException e) {
      var kind = resource.group() + "/" + resource.version() + ", Kind=" + resource.kind();
      throw new ApiException(
          500,
          "",
          "failed to convert new object (%s/%s; %s) to proper version: unable to convert unstructured object to %s: %s"
              .formatted(
                  configuration.textOrEmpty("metadata", "namespace"),
                  configuration.textOrEmpty("metadata", "name"),
                  kind,
                  kind,
                  e.getMessage()));
    }
  }

  /// An object that was put together here, with the fields its kind has.
  Tree decoded(Served served, Tree object) {
    if (served.custom() != null) {
      return served.custom().objects().completed(object);
    }
    var resource = served.resource();
    return decoder
        .tree(object, resource.apiVersion(), resource.kind(), FieldValidation.IGNORE)
        .tree();
  }

  /// How the fields of this kind are merged.
  static Structure structure(Served served) {
    var custom = served.custom();
    var resource = served.resource();
    return custom == null
        ? TypeStructure.of(Types.kubernetes().type(resource.apiVersion(), resource.kind()))
        : custom.objects().structure();
  }

  /// The scale of `current`, with who owns its replica count.
  Tree scaleOf(Served served, Tree current) {
    var scale = Scales.of(served, current);
    var owners = scaleFields(served).ofScale(current);
    if (!owners.isEmpty()) {
      scale.child("metadata").put("managedFields", new ArrayList<>(owners));
    }
    return scale;
  }

  /// Notes in `object` who owns its replica count after its scale went from `live` to `updated`.
  void scaled(Served served, Tree live, Tree updated, Tree object, Context context) {
    scales.update(live, updated, context.options().manager());
    keepOwners(served, updated, object);
  }

  /// The scale with an applied one merged in.
  Tree appliedToScale(Tree live, Tree applied, Context context) {
    return scales.apply(live, applied, context.options().manager(), context.options().force());
  }

  void keepOwners(Served served, Tree scale, Tree object) {
    var owners = scaleFields(served).ofObject(object, scale.list("metadata", "managedFields"));
    keep(owners.isEmpty() ? null : owners, object);
  }

  private static ScaleFields scaleFields(Served served) {
    var rules = Objects.requireNonNull(served.kind().strategy().scale());
    var path = rules.specReplicasPath();
    return new ScaleFields(
        served.resource().apiVersion(), path.startsWith(".") ? path.substring(1) : path);
  }

  private @Nullable FieldManager manager(Served served, String subresource) {
    var custom = served.custom();
    if (custom != null && served.versions() != null) {
      // Definitions change: nothing about custom kinds is remembered here.
      return new FieldManager(
          custom.objects().structure(),
          served.versions(),
          custom.objects().empty(),
          subresource,
          reset(served, subresource),
          clock);
    }
    var resource = served.resource();
    if (Types.kubernetes().find(resource.apiVersion(), resource.kind()).isEmpty()) {
      return null;
    }
    return managers.computeIfAbsent(
        resource.apiVersion() + "/" + resource.kind() + "/" + subresource,
        _ ->
            FieldManager.of(
                Types.kubernetes(),
                resource.apiVersion(),
                resource.kind(),
                subresource,
                reset(served, subresource),
                clock));
  }

  /// What an endpoint resets on every write, nobody owns through it.
  private static FieldSet reset(Served served, String subresource) {
    return switch (subresource) {
      case "status" -> served.isCustom() ? FieldSet.of("metadata", "spec") : FieldSet.of("spec");
      case "" ->
          served.kind().subresources().containsKey("status")
              ? FieldSet.of("status")
              : FieldSet.of();
      default -> FieldSet.of();
    };
  }
}

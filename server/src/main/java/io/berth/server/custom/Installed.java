package io.berth.server.custom;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Conversion;
import io.berth.kinds.Kind;
import io.berth.kinds.Trait;
import io.berth.kinds.custom.CustomDefinition;
import io.berth.kinds.custom.CustomVersion;
import io.berth.kinds.custom.NoneConversion;
import io.berth.server.discovery.Advertised;
import io.berth.server.registry.Served;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What is served of one definition, as of one of its editions.
record Installed(Edition edition, Served stored, List<Served> served, List<Advertised> advertised) {

  private static final List<String> VERBS =
      List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
  private static final List<String> LAST_VERBS =
      List.of("delete", "deletecollection", "get", "list", "watch");
  private static final List<String> SUBRESOURCE_VERBS = List.of("get", "patch", "update");

  /// `conversions` makes what calls the webhook of a definition.
  static Installed of(Tree tree, Function<Tree, ConversionWebhook> conversions) {
    var definition = new CustomDefinition(tree);
    var webhook = definition.webhook() == null ? null : conversions.apply(definition.webhook());
    var served = new ArrayList<Served>();
    var advertised = new ArrayList<Advertised>();
    for (var version : definition.versions()) {
      if (version.served()) {
        served.add(served(definition, version, webhook));
        advertised.add(advertised(definition, version));
      }
    }
    return new Installed(
        Edition.of(tree), served(definition, definition.storage(), webhook), served, advertised);
  }

  boolean isOf(Tree definition) {
    return edition.equals(Edition.of(definition));
  }

  /// All of a definition that makes a difference to what is served.
  private record Edition(String uid, long generation, Tree names, boolean terminating) {

    static Edition of(Tree definition) {
      return new Edition(
          definition.textOrEmpty("metadata", "uid"),
          definition.number(0, "metadata", "generation"),
          definition.treeOrEmpty("status", "acceptedNames"),
          definition.at("metadata", "deletionTimestamp") != null);
    }
  }

  private static Served served(
      CustomDefinition definition, CustomVersion version, @Nullable ConversionWebhook webhook) {
    var storage = definition.storage();
    return new Served(
        version.resource(),
        new Kind(storage.resource(), version.strategy(), Trait.CONDITIONAL_UPDATE),
        conversion(definition, version, webhook),
        version,
        new CustomVersions(definition, webhook));
  }

  /// How objects become those of a version; `null` when what is stored needs no change.
  private static @Nullable Conversion conversion(
      CustomDefinition definition, CustomVersion version, @Nullable ConversionWebhook webhook) {
    if (definition.isUnchanged()) {
      return null;
    }
    return webhook == null
        ? new NoneConversion(definition.storage(), version)
        : new WebhookConversion(webhook, definition, version);
  }

  private static Advertised advertised(CustomDefinition definition, CustomVersion version) {
    var names = definition.names();
    return new Advertised(
        version.resource(),
        definition.isTerminating() ? LAST_VERBS : VERBS,
        names.textOrEmpty("singular"),
        texts(names.list("shortNames")),
        texts(names.list("categories")),
        subresources(definition, version.resource()),
        definition.storage().resource().apiVersion(),
        version.schema());
  }

  private static List<Advertised.Subresource> subresources(
      CustomDefinition definition, Resource resource) {
    var declared = definition.subresources(resource.version());
    var subresources = new ArrayList<Advertised.Subresource>();
    if (declared.get("status") != null) {
      subresources.add(
          new Advertised.Subresource("status", resource.kind(), SUBRESOURCE_VERBS, "", ""));
    }
    if (declared.get("scale") != null) {
      subresources.add(
          new Advertised.Subresource("scale", "Scale", SUBRESOURCE_VERBS, "autoscaling", "v1"));
    }
    return subresources;
  }

  private static List<String> texts(List<@Nullable Object> values) {
    return values.stream().map(String::valueOf).toList();
  }
}

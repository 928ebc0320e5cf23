package io.berth.server.custom;

import io.berth.api.Tree;
import io.berth.kinds.custom.CustomDefinition;
import io.berth.schema.apply.Structure;
import io.berth.schema.apply.Versions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The versions of a custom kind, between which the fields of managers are compared.
record CustomVersions(CustomDefinition definition, @Nullable ConversionWebhook webhook)
    implements Versions {

  @Override
  public @Nullable Tree convert(Tree object, String apiVersion) {
    if (definition.find(apiVersion).isEmpty()) {
      return null;
    }
    return webhook == null
        ? object.copy().put("apiVersion", apiVersion)
        : webhook.convert(List.of(object), apiVersion).getFirst();
  }

  @Override
  public Structure structure(String apiVersion) {
    return definition.find(apiVersion).orElseThrow().objects().structure();
  }
}

package io.berth.kinds.resource;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.core.ResourceNames;
import io.berth.kinds.meta.Cursor;
import org.jspecify.annotations.Nullable;

/// `resource.k8s.io/v1 deviceclasses`
///
/// Mirrors: registry/resource/deviceclass.deviceClassStrategy,
/// resource/validation.ValidateDeviceClass
public final class DeviceClassStrategy extends PlainStrategy {

  public DeviceClassStrategy(Resource resource) {
    super(resource);
  }

  @Override
  protected void validate(Cursor object, @Nullable Tree old) {
    var spec = object.at("spec");
    DeviceRequests.selectors(spec.at("selectors"));
    if (!DeviceClaims.tooMany(spec.at("config"), DeviceClaims.MAX_ITEMS)) {
      spec.each("config", DeviceConfigurations::validate);
    }
    var extended = spec.at("extendedResourceName").ifSet();
    if (!ResourceNames.isExtended(extended.text())) {
      extended.declared().invalid("must be a valid extended resource name");
    }
  }
}

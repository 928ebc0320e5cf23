package io.berth.api;

/// What a CSI driver wants of schedulers: that they look at the capacity it publishes, and that
/// they keep pods off nodes where it does not run.
public record CsiDriver(String name, boolean storageCapacity, boolean preventPodSchedulingIfMissing)
    implements Surrounding {

  public static final String KIND = "CSIDriver";

  @Override
  public String kind() {
    return KIND;
  }
}

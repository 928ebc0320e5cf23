package io.berth.engine.rule.volume;

import io.berth.engine.rule.Args;
import io.berth.engine.rule.UtilizationShape;
import io.berth.engine.rule.UtilizationShape.ShapePoint;
import java.util.List;

/// The arguments of VolumeBinding: how long a volume may take to be there, and which nodes are
/// preferred by how much of their storage a pod would use.
///
/// Mirrors: apis/config/validation.ValidateVolumeBindingArgs
public record VolumeBindingArgs(long bindTimeoutSeconds, List<ShapePoint> shape) {

  private static final List<ShapePoint> MUCH_LEFT =
      List.of(new ShapePoint(0, 10), new ShapePoint(100, 0));

  public VolumeBindingArgs {
    shape = List.copyOf(shape);
  }

  public static VolumeBindingArgs read(Args args) {
    long timeout = args.number("bindTimeoutSeconds", 600);
    args.check(
        timeout >= 0,
        "bindTimeoutSeconds",
        timeout,
        "invalid BindTimeoutSeconds, should not be a negative value");
    boolean shaped = !args.tree().list("shape").isEmpty();
    return new VolumeBindingArgs(timeout, shaped ? UtilizationShape.read(args) : MUCH_LEFT);
  }
}

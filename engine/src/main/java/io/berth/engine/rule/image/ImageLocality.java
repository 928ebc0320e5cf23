package io.berth.engine.rule.image;

import io.berth.api.Container;
import io.berth.api.Volume;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Images;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalize;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// Prefers nodes that already hold the pod's images, less so for images that few nodes hold.
public final class ImageLocality implements ScoreRule {

  private static final long MIB = 1024 * 1024;
  private static final long LEAST = 23 * MIB;
  private static final long MOST_PER_IMAGE = 1000 * MIB;

  @Override
  public String name() {
    return "ImageLocality";
  }

  // The number of nodes that hold an image counts for all of them.
  @Override
  public Set<Watch> watches() {
    return Set.of(Watch.CLUSTER);
  }

  @Override
  public NodeScore scoreFor(Shape shape, ClusterModel cluster) {
    var names = imageNames(shape);
    var held = names.stream().map(cluster.images()::find).filter(Objects::nonNull).toList();
    if (held.isEmpty()) {
      return _ -> 0;
    }
    long most = MOST_PER_IMAGE * names.size();
    int nodes = cluster.nodes().count();
    return node -> {
      long sum = 0;
      for (Images.Holders image : held) {
        if (image.has(node)) {
          double spread = (double) image.count() / nodes;
          sum += (long) (image.sizeBytes() * spread);
        }
      }
      return Normalize.MAX_SCORE * (Math.clamp(sum, LEAST, most) - LEAST) / (most - LEAST);
    };
  }

  /// Differs from what it was when scores for the shape may have changed; 0 when no node scores.
  public static long fingerprint(List<String> imageNames, ClusterModel cluster) {
    long fingerprint = 0;
    for (int i = 0; i < imageNames.size(); i++) {
      var holders = cluster.images().find(imageNames.get(i));
      if (holders != null) {
        fingerprint = (fingerprint + holders.lastChange()) * 0x9E3779B97F4A7C15L + i;
      }
    }
    return fingerprint == 0 ? 0 : fingerprint ^ cluster.nodes().count();
  }

  public static List<String> imageNames(Shape shape) {
    var names = new ArrayList<String>();
    for (Container container : shape.spec().initContainers()) {
      names.add(normalized(container.image()));
    }
    for (Container container : shape.spec().containers()) {
      names.add(normalized(container.image()));
    }
    for (var volume : shape.spec().volumes()) {
      if (volume instanceof Volume.Image image) {
        names.add(normalized(image.reference()));
      }
    }
    return names;
  }

  /// A name without tag or digest means the tag `latest`.
  static String normalized(String name) {
    return name.lastIndexOf(':') <= name.lastIndexOf('/') ? name + ":latest" : name;
  }
}

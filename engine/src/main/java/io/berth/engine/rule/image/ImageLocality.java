package io.berth.engine.rule.image;

import io.berth.api.Container;
import io.berth.api.Volume;
import io.berth.engine.model.ClusterModel;
import io.berth.engine.model.Images;
import io.berth.engine.model.Shape;
import io.berth.engine.rule.NodeScore;
import io.berth.engine.rule.Normalization;
import io.berth.engine.rule.Premise;
import io.berth.engine.rule.RunningSum;
import io.berth.engine.rule.ScoreForm;
import io.berth.engine.rule.ScoreRule;
import io.berth.engine.rule.Summands;
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
      return Normalization.MAX_SCORE * (Math.clamp(sum, LEAST, most) - LEAST) / (most - LEAST);
    };
  }

  @Override
  public Summands summandsFor(Shape shape, ClusterModel cluster, int[] feasible) {
    var names = imageNames(shape);
    long most = MOST_PER_IMAGE * names.size();
    return node -> {
      var parts = new RunningSum();
      long sum = 0;
      for (var name : names) {
        var image = cluster.images().find(name);
        if (image != null && image.has(node)) {
          double spread = (double) image.count() / cluster.nodes().count();
          long counted = (long) (image.sizeBytes() * spread);
          sum += counted;
          parts.reach("image " + name, share(sum, most));
        }
      }
      if (sum > 0) {
        parts.reach("too little to matter", share(sum - Math.min(sum, LEAST), most));
        parts.reach("more than matters", share(Math.clamp(sum, LEAST, most) - LEAST, most));
      }
      return parts.parts();
    };
  }

  private static long share(long bytes, long most) {
    return Normalization.MAX_SCORE * bytes / (most - LEAST);
  }

  @Override
  public ScoreForm scoreForm(Shape shape, ClusterModel cluster) {
    var premise = new SameHolders(imageNames(shape), cluster);
    return premise.isNobody()
        ? new ScoreForm.Silent(premise)
        : new ScoreForm.Local(scoreFor(shape, cluster), premise);
  }

  /// The same nodes, of as many, hold the images as when this was made.
  private static final class SameHolders implements Premise {

    private final List<String> imageNames;
    private final ClusterModel cluster;
    private final long fingerprint;
    private final int nodes;
    private int changes;

    SameHolders(List<String> imageNames, ClusterModel cluster) {
      this.imageNames = imageNames;
      this.cluster = cluster;
      this.fingerprint = fingerprint();
      this.nodes = cluster.nodes().count();
      this.changes = cluster.images().changes();
    }

    boolean isNobody() {
      return fingerprint == 0;
    }

    @Override
    public boolean holds() {
      if (changes != cluster.images().changes()) {
        changes = cluster.images().changes();
        if (fingerprint != fingerprint()) {
          return false;
        }
      }
      return isNobody() || nodes == cluster.nodes().count();
    }

    private long fingerprint() {
      long print = 0;
      for (int i = 0; i < imageNames.size(); i++) {
        var holders = cluster.images().find(imageNames.get(i));
        if (holders != null) {
          print = (print + holders.lastChange()) * 0x9E3779B97F4A7C15L + i;
        }
      }
      return print;
    }
  }

  private static List<String> imageNames(Shape shape) {
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

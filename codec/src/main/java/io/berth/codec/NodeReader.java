package io.berth.codec;

import io.berth.api.Node;
import io.berth.api.Taint;
import io.berth.api.Tree;

/// Reads what scheduling needs of a node.
public final class NodeReader {

  private NodeReader() {}

  /// Throws [FieldException] where the node holds something it cannot.
  public static Node read(Tree tree) {
    var node = Fields.of(tree);
    var meta = node.object("metadata");
    var spec = node.object("spec");
    var status = node.object("status");
    return new Node(
        meta.text("name"),
        meta.map("labels"),
        spec.flag("unschedulable"),
        spec.objects("taints", NodeReader::taint),
        status.quantities("allocatable"),
        status.objects(
            "images", image -> new Node.Image(image.texts("names"), image.number("sizeBytes", 0))),
        status.texts("declaredFeatures"));
  }

  private static Taint taint(Fields taint) {
    return new Taint(taint.text("key"), taint.text("value"), taint.text("effect"));
  }
}

package io.berth.engine;

import io.berth.api.Namespace;
import io.berth.api.Node;
import io.berth.api.Pod;
import io.berth.api.SchedulerConfiguration;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.NodeReader;
import io.berth.codec.ObjectReader;
import io.berth.codec.PodReader;
import io.berth.codec.SchedulerConfigurationReader;
import java.util.Map;

/// An engine told in JSON, with single quotes for the sake of the reader.
final class World {

  final Engine engine;

  World() {
    this(SchedulerConfiguration.DEFAULT);
  }

  World(String pluginConfig) {
    this(
        SchedulerConfigurationReader.read(
            json("{'profiles':[{'pluginConfig':[" + pluginConfig + "]}]}")));
  }

  World(SchedulerConfiguration configuration) {
    this.engine = new Engine(configuration, 1);
    engine.put(new Namespace("default", Map.of()));
  }

  static Tree json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  /// A node from its allocatable resources and, if need be, labels and images.
  World node(String name, String allocatable, String labels) {
    return node(name, allocatable, labels, "[]");
  }

  World node(String name, String allocatable, String labels, String images) {
    engine.put(
        NodeReader.read(
            json(
                "{'metadata':{'name':'%s','labels':%s},'status':{'allocatable':%s,'images':%s}}"
                    .formatted(name, labels, allocatable, images))));
    return this;
  }

  static Node node(String name, String allocatable) {
    return NodeReader.read(
        json(
            "{'metadata':{'name':'%s'},'status':{'allocatable':%s}}".formatted(name, allocatable)));
  }

  /// Pods that run on a node, all with the same labels and spec.
  World pods(String node, int count, String labels, String spec) {
    for (int i = 0; i < count; i++) {
      engine.put(pod(node + "-" + labels.hashCode() + "-" + i, labels, spec).withNodeName(node));
    }
    return this;
  }

  World put(String kind, String object) {
    engine.put(ObjectReader.readMapOwner(kind, json(object)));
    return this;
  }

  static Pod pod(String name, String labels, String spec) {
    return PodReader.read(
        json(
            "{'metadata':{'name':'%s','namespace':'default','labels':%s},'spec':%s}"
                .formatted(name, labels, spec)));
  }

  static Pod pod(String spec) {
    return pod("pod", "{}", spec);
  }

  /// A pod with one container that asks for these resources.
  static String asking(String requests) {
    return "{'containers':[{'name':'c','image':'none','resources':{'requests':" + requests + "}}]}";
  }

  /// A plugin's normalised scores, by name of the node.
  long[] scores(String plugin, Pod pod) {
    var column = engine.examine(pod).scores().get(plugin);
    return column == null ? new long[0] : column.norm();
  }

  long[] raw(String plugin, Pod pod) {
    var column = engine.examine(pod).scores().get(plugin);
    return column == null ? new long[0] : column.raw();
  }
}

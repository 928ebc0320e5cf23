package io.berth.controllers.core;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.controllers.Controller;
import io.berth.controllers.runtime.Cache;
import io.berth.controllers.runtime.Conditions;
import io.berth.controllers.runtime.Environment;
import io.berth.controllers.runtime.Key;
import io.berth.controllers.runtime.Loop;
import io.berth.controllers.runtime.Meta;
import java.util.Objects;

/// Says on every FlowSchema whether the priority level it names is there.
public final class FlowSchemas implements Controller {

  static final Resource FLOW_SCHEMAS =
      new Resource("flowcontrol.apiserver.k8s.io", "v1", "flowschemas", "FlowSchema", false);
  static final Resource PRIORITY_LEVELS =
      new Resource(
          "flowcontrol.apiserver.k8s.io",
          "v1",
          "prioritylevelconfigurations",
          "PriorityLevelConfiguration",
          false);

  private final Environment environment;
  private final Cache schemas;
  private final Cache levels;
  private final Loop loop;

  public FlowSchemas(Environment environment) {
    this.environment = environment;
    this.schemas = environment.informers().of(FLOW_SCHEMAS);
    this.levels = environment.informers().of(PRIORITY_LEVELS);
    this.loop = new Loop(name(), 1, environment.timers(), this::reconcile);
    schemas.onAny(schema -> loop.add(Key.of(schema)));
    levels.onAny(this::wakeThoseThatName);
  }

  @Override
  public String name() {
    return "flowschema-status";
  }

  @Override
  public void start() {
    loop.start();
  }

  @Override
  public void close() {
    loop.close();
  }

  private void wakeThoseThatName(Tree level) {
    for (var schema : schemas.all()) {
      if (level(schema).equals(Meta.name(level))) {
        loop.add(Key.of(schema));
      }
    }
  }

  private static String level(Tree schema) {
    return schema.textOrEmpty("spec", "priorityLevelConfiguration", "name");
  }

  private void reconcile(Key key) {
    var schema = schemas.find(key).orElse(null);
    if (schema == null) {
      return;
    }
    var condition = condition(level(schema));
    if (says(schema, condition)) {
      return;
    }
    var status = schema.treeOrEmpty("status").copy();
    Conditions.set(status, condition, environment.timestamp());
    environment
        .cluster()
        .update(FLOW_SCHEMAS, "status", Tree.ofMap(schema.fields()).put("status", status));
  }

  private Tree condition(String level) {
    var names =
        "This FlowSchema references the PriorityLevelConfiguration object named \"%s\" "
            .formatted(level);
    return levels.find(new Key("", level)).isPresent()
        ? Conditions.of("Dangling", "False", "Found", names + "and it exists")
        : Conditions.of("Dangling", "True", "NotFound", names + "but there is no such object");
  }

  private static boolean says(Tree schema, Tree condition) {
    var said = Conditions.find(schema, "Dangling");
    return said != null
        && Objects.equals(said.text("status"), condition.text("status"))
        && Objects.equals(said.text("reason"), condition.text("reason"))
        && Objects.equals(said.text("message"), condition.text("message"));
  }
}

package io.berth.controllers.core;

import io.berth.api.Tree;
import io.berth.cluster.Cluster.DeleteOptions;
import io.berth.controllers.World;
import io.berth.controllers.runtime.Conditions;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FlowSchemasTest {

  private final World world = new World(FlowSchemas::new).start();

  @AfterEach
  void stop() {
    world.close();
  }

  @Test
  void aSchemaSaysWhetherItsPriorityLevelIsThere() {
    world.cluster.create(
        FlowSchemas.FLOW_SCHEMAS,
        named("tenants")
            .put("spec", Tree.of("priorityLevelConfiguration", Tree.of("name", "low"))));
    awaitDangling(
        "True",
        "This FlowSchema references the PriorityLevelConfiguration object named \"low\""
            + " but there is no such object");

    world.cluster.create(FlowSchemas.PRIORITY_LEVELS, named("low"));
    awaitDangling(
        "False",
        "This FlowSchema references the PriorityLevelConfiguration object named \"low\""
            + " and it exists");

    world.cluster.delete(FlowSchemas.PRIORITY_LEVELS, "", "low", DeleteOptions.DEFAULT);
    awaitDangling(
        "True",
        "This FlowSchema references the PriorityLevelConfiguration object named \"low\""
            + " but there is no such object");
  }

  private void awaitDangling(String status, String message) {
    world.await(
        "Dangling is " + status,
        cluster ->
            cluster.all(FlowSchemas.FLOW_SCHEMAS).stream()
                .map(schema -> Conditions.find(schema, "Dangling"))
                .filter(Objects::nonNull)
                .anyMatch(said ->
                    said.textOrEmpty("status").equals(status)
                        && said.textOrEmpty("message").equals(message)));
  }

  private static Tree named(String name) {
    return Tree.of("metadata", Tree.of("name", name));
  }
}

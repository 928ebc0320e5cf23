package io.berth.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.workloads.rest.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `docs/reference/workload-api.md` lists the operations there are, and the OpenAPI document
/// describes them.
class ReferenceTest {

  @Test
  void theReferenceListsEveryOperation() throws Exception {
    try (var api = new Api()) {
      var document =
          Path.of(System.getProperty("berth.root", ".."), "docs", "reference", "workload-api.md");
      var listed =
          Files.readAllLines(document).stream().filter(line -> line.startsWith("| `/")).toList();

      assertThat(listed).containsExactlyElementsOf(lines(api.workloads.routes()));
    }
  }

  /// One line per path: its methods, and what one needs to call them.
  private static List<String> lines(List<Route> routes) {
    return routes.stream()
        .sorted(Comparator.comparing(Route::path).thenComparing(Route::method))
        .map(ReferenceTest::line)
        .toList();
  }

  private static String line(Route route) {
    var type = route.type();
    var action = route.action();
    var needs =
        route.isOpen()
            ? "nothing"
            : type == null || action == null ? "a token" : action.text() + " " + type.text();
    var codes = String.join(", ", route.codes().stream().map(String::valueOf).toList());
    return "| `%s` | %s | %s | %s |".formatted(route.path(), route.method(), codes, needs);
  }

  @Test
  void openApiHasEveryOperationAndOnlyKnownTypes() throws Exception {
    try (var api = new Api()) {
      var document = api.get("/openapi/workloads.json").body();
      var schemas = document.treeOrEmpty("components", "schemas");

      assertThat(document.text("openapi")).isEqualTo("3.1.0");
      for (var route : api.workloads.routes()) {
        if (!route.isServed()) {
          continue;
        }
        var operation =
            document.treeOrEmpty(
                "paths", route.path(), route.method().toLowerCase(java.util.Locale.ROOT));
        assertThat(operation.text("operationId")).isEqualTo(route.name());
        for (var code : route.codes()) {
          assertThat(operation.treeOrEmpty("responses").names()).contains(code.toString());
        }
      }
      var text = api.get("/openapi/workloads.json").answer().text();
      var references = java.util.regex.Pattern.compile("#/components/schemas/(\\w+)").matcher(text);
      while (references.find()) {
        assertThat(schemas.names()).contains(references.group(1));
      }
      assertThat(api.workloads.routes()).extracting(Route::name).doesNotHaveDuplicates();
    }
  }
}

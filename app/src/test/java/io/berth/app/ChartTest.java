package io.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The chart uses nothing of Helm but values, so a few lines render it: with its own defaults it is
/// what stands beside it as plain manifests.
class ChartTest {

  private static final Path CHART = WiredServer.DEPLOY.resolve("helm/berth-scheduler");
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{ \\.(Values|Release)\\.([\\w.]+) }}");

  @ParameterizedTest
  @ValueSource(strings = {"rbac.yaml", "deployment.yaml"})
  void rendersToThePlainManifests(String file) throws Exception {
    var values = Yaml.read(Files.readString(CHART.resolve("values.yaml")));
    var template = Files.readString(CHART.resolve("templates").resolve(file));

    var rendered =
        PLACEHOLDER
            .matcher(template)
            .replaceAll(found -> value(values, found.group(1), found.group(2)));

    assertThat(rendered).doesNotContain("{{");
    assertThat(Yaml.readAll(rendered))
        .isEqualTo(Yaml.readAll(Files.readString(WiredServer.DEPLOY.resolve(file))));
  }

  private static String value(Tree values, String source, String path) {
    if (source.equals("Release")) {
      assertThat(path).isEqualTo("Namespace");
      return "kube-system";
    }
    var value = values.at(path.split("\\.", -1));
    assertThat(value).as(path).isNotNull();
    return String.valueOf(value);
  }
}

package io.berth.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The table and the program that makes it belong to the same version of Kubernetes.
class TypesTableTest {

  private static final Pattern MODULE = Pattern.compile("k8s\\.io/api v0\\.(\\d+)\\.\\d+");
  private static final Pattern HEADING = Pattern.compile("the Kubernetes 1\\.(\\d+) API");

  @Test
  void isOfTheVersionThatItsGeneratorNames() throws Exception {
    var root = Path.of(System.getProperty("berth.root"), "schema");
    var generator = MODULE.matcher(Files.readString(root.resolve("generate/go.mod")));
    var table =
        HEADING.matcher(
            Files.readString(root.resolve("src/main/resources/io/berth/schema/types.txt")));

    assertThat(generator.find()).isTrue();
    assertThat(table.find()).isTrue();
    assertThat(table.group(1)).isEqualTo(generator.group(1));
  }
}

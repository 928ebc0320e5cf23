package io.berth.server.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Applies the manifests of `docs/guides/admission-policies.md` in their order.
class GuideTest {

  private static final Pattern MANIFEST = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
  private static final Map<String, String> PATHS =
      Map.of(
          "ValidatingAdmissionPolicy", registration("validatingadmissionpolicies"),
          "ValidatingAdmissionPolicyBinding", registration("validatingadmissionpolicybindings"),
          "MutatingAdmissionPolicy", registration("mutatingadmissionpolicies"),
          "MutatingAdmissionPolicyBinding", registration("mutatingadmissionpolicybindings"),
          "Service", "/api/v1/namespaces/default/services",
          "Pod", "/api/v1/namespaces/default/pods");

  private static String registration(String plural) {
    return "/apis/admissionregistration.k8s.io/v1/" + plural;
  }

  @Test
  void theGuideIsTrue() throws IOException {
    try (var server = new TestServer()) {
      server.post(
          "admin", "/api/v1/namespaces/default/serviceaccounts", "{'metadata':{'name':'default'}}");
      for (var manifest : manifests()) {
        var object = Yaml.read(manifest);
        var answer =
            TestServer.json(
                server.ask(
                    Map.of("authorization", List.of("Bearer admin")),
                    "POST",
                    PATHS.getOrDefault(object.textOrEmpty("kind"), "/"),
                    Json.write(object)));

        check(manifest, object, answer);
      }
    }
  }

  private static void check(String manifest, Tree object, Tree answer) {
    var first = manifest.lines().findFirst().orElse("");
    if (first.startsWith("# refused: ")) {
      assertThat(answer.textOrEmpty("message")).isEqualTo(first.substring("# refused: ".length()));
      return;
    }
    assertThat(answer.textOrEmpty("kind"))
        .describedAs("%s", answer)
        .isEqualTo(object.textOrEmpty("kind"));
    if (first.startsWith("# label: ")) {
      var label = first.substring("# label: ".length()).split("=", 2);
      assertThat(answer.texts("metadata", "labels")).containsEntry(label[0], label[1]);
    }
  }

  private static List<String> manifests() throws IOException {
    var guide =
        Files.readString(
            Path.of(
                System.getProperty("berth.root", ".."), "docs", "guides", "admission-policies.md"));
    var manifests = new ArrayList<String>();
    var found = MANIFEST.matcher(guide);
    while (found.find()) {
      manifests.add(found.group(1));
    }
    assertThat(manifests).hasSize(7);
    return manifests;
  }
}

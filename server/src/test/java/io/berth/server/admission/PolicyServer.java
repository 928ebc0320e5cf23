package io.berth.server.admission;

import io.berth.admission.AdmissionChain;
import io.berth.api.Tree;
import io.berth.codec.Json;
import io.berth.codec.Yaml;
import io.berth.server.TestServer;
import io.berth.server.http.Answer;
import java.util.List;
import java.util.Map;

/// A server that is told objects in YAML. Namespace `pt` is there.
final class PolicyServer implements AutoCloseable {

  private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/pt/configmaps";

  private static final Map<String, List<String>> ADMIN =
      Map.of("authorization", List.of("Bearer admin"));

  private final TestServer server;

  PolicyServer() {
    this(AdmissionChain.of(List.of(), List.of()));
  }

  PolicyServer(AdmissionChain admission) {
    server = new TestServer(admission);
    server.post("admin", "/api/v1/namespaces", "{'metadata':{'name':'pt'}}");
  }

  /// A policy of this spec about config maps, bound in its own name.
  PolicyServer validating(String name, String spec) {
    policy("validatingadmissionpolicies", name, spec, "[CREATE, UPDATE, DELETE]");
    bind(name, "[Deny]", "");
    return this;
  }

  PolicyServer policy(String plural, String name, String spec, String operations) {
    register(
        plural,
        """
        metadata: {name: %s}
        spec:
          matchConstraints:
            resourceRules:
            - {apiGroups: [''], apiVersions: [v1], operations: %s, resources: [configmaps]}
        %s
        """
            .formatted(name, operations, spec.indent(2)));
    return this;
  }

  /// Binds a validating policy; `more` are lines of the binding's spec.
  PolicyServer bind(String name, String actions, String more) {
    register(
        "validatingadmissionpolicybindings",
        """
        metadata: {name: %s}
        spec:
          policyName: %s
          validationActions: %s
        %s
        """
            .formatted(name, name, actions, more.indent(2)));
    return this;
  }

  PolicyServer mutating(String name, String spec) {
    policy("mutatingadmissionpolicies", name, spec, "[CREATE, UPDATE]");
    register(
        "mutatingadmissionpolicybindings",
        "metadata: {name: %s}\nspec: {policyName: %s}".formatted(name, name));
    return this;
  }

  void register(String plural, String yaml) {
    var answer = post(REGISTRATION + plural, yaml);
    if (answer.code() != 201) {
      throw new IllegalArgumentException(TestServer.text(answer));
    }
  }

  /// A service of this spec in `pt`.
  void service(String name, String spec) {
    var answer =
        post(
            "/api/v1/namespaces/pt/services",
            "metadata: {name: %s}\nspec: %s".formatted(name, spec));
    if (answer.code() != 201) {
      throw new IllegalArgumentException(TestServer.text(answer));
    }
  }

  Answer create(String yaml) {
    return post(CONFIG_MAPS, yaml);
  }

  Answer createDry(String yaml) {
    return post(CONFIG_MAPS + "?dryRun=All", yaml);
  }

  private Answer post(String path, String yaml) {
    return server.ask(ADMIN, "POST", path, Json.write(Yaml.read(yaml)));
  }

  Answer delete(String name) {
    return server.ask("admin", "DELETE", CONFIG_MAPS + "/" + name, "");
  }

  /// The message of a refusal, or `""` when the object was created.
  String refusal(String yaml) {
    return message(create(yaml));
  }

  static String message(Answer answer) {
    return answer.code() < 300 ? "" : TestServer.json(answer).textOrEmpty("message");
  }

  Tree created(String yaml) {
    return TestServer.json(create(yaml));
  }

  @Override
  public void close() {
    server.close();
  }
}

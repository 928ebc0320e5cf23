package io.berth.codec;

import static io.berth.codec.SchedulerConfigurationReader.check;

import io.berth.api.ExtenderConfiguration;
import io.berth.api.ExtenderConfiguration.ManagedResource;
import io.berth.api.ExtenderConfiguration.Tls;
import io.berth.api.SchedulerProfile;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The `extenders` of a scheduler configuration, with the checks kube-scheduler makes.
final class ExtenderReader {

  private static final long DEFAULT_TIMEOUT_MILLIS = 5_000;
  private static final Pattern QUALIFIED_NAME =
      Pattern.compile(
          "[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private ExtenderReader() {}

  static List<ExtenderConfiguration> read(Fields file) {
    Set<String> managed = new HashSet<>();
    var extenders = file.objects("extenders", extender -> extender(extender, managed));
    long binders = extenders.stream().filter(e -> !e.bindVerb().isEmpty()).count();
    check(
        file,
        "extenders",
        binders <= 1,
        "\"found %d extenders implementing bind\"".formatted(binders),
        "only one extender can implement bind");
    return extenders;
  }

  /// Resources that extenders ask the scheduler to ignore are ignored by every profile.
  static List<SchedulerProfile> withoutIgnored(
      List<SchedulerProfile> profiles, List<ExtenderConfiguration> extenders) {
    var ignored =
        extenders.stream()
            .flatMap(extender -> extender.managedResources().stream())
            .filter(ManagedResource::ignoredByScheduler)
            .map(ManagedResource::name)
            .collect(Collectors.toSet());
    return ignored.isEmpty()
        ? profiles
        : profiles.stream().map(profile -> profile.ignoring(ignored)).toList();
  }

  private static ExtenderConfiguration extender(Fields fields, Set<String> managed) {
    var prioritize = fields.text("prioritizeVerb");
    long weight = fields.number("weight", 0);
    check(
        fields,
        "weight",
        prioritize.isEmpty() || weight > 0,
        weight,
        "must have a positive weight applied to it");
    long timeout = Durations.millis(fields, "httpTimeout", DEFAULT_TIMEOUT_MILLIS);
    return new ExtenderConfiguration(
        fields.text("urlPrefix"),
        fields.text("filterVerb"),
        fields.text("preemptVerb"),
        prioritize,
        weight,
        fields.text("bindVerb"),
        fields.flag("enableHTTPS"),
        tls(fields.object("tlsConfig")),
        timeout == 0 ? DEFAULT_TIMEOUT_MILLIS : timeout,
        fields.flag("nodeCacheCapable"),
        fields.objects("managedResources", resource -> managed(resource, managed)),
        fields.flag("ignorable"));
  }

  private static ManagedResource managed(Fields fields, Set<String> seen) {
    var name = fields.text("name");
    check(
        fields,
        "name",
        isExtendedResource(name),
        "\"" + name + "\"",
        "is an invalid extended resource name");
    check(
        fields,
        "name",
        seen.add(name),
        "\"" + name + "\"",
        "duplicate extender managed resource name");
    return new ManagedResource(name, fields.flag("ignoredByScheduler"));
  }

  // As in Kubernetes: a domain that is not its own, and room for the prefix of quotas.
  private static boolean isExtendedResource(String name) {
    return QUALIFIED_NAME.matcher(name).matches()
        && !name.substring(0, name.indexOf('/')).endsWith("kubernetes.io")
        && !name.startsWith("requests.");
  }

  private static Tls tls(Fields fields) {
    return new Tls(
        fields.flag("insecure"),
        fields.text("serverName"),
        fields.text("certFile"),
        fields.text("keyFile"),
        fields.text("caFile"),
        decoded(fields, "certData"),
        decoded(fields, "keyData"),
        decoded(fields, "caData"));
  }

  private static String decoded(Fields fields, String field) {
    @Nullable String text = fields.textOrNull(field);
    if (text == null) {
      return "";
    }
    try {
      return new String(Base64.getDecoder().decode(text), java.nio.charset.StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw fields.wrong(field, "illegal base64 data");
    }
  }
}

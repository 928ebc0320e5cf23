package io.berth.kinds.apiregistration;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.StatusRules;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `apiregistration.k8s.io/v1 apiservices`
///
/// Mirrors: registry/apiservice.apiServerStrategy, apiregistration/validation.ValidateAPIService
public final class ApiServiceStrategy extends PlainStrategy {

  private static final int MAX_GROUP_PRIORITY = 20_000;
  private static final int MAX_VERSION_PRIORITY = 1000;
  private static final int DEFAULT_PORT = 443;

  public ApiServiceStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    var service = object.tree("spec", "service");
    if (service != null) {
      service.putIfAbsent("port", DEFAULT_PORT);
    }
  }

  /// What is served here is there from the beginning; of another server that is to be found out.
  @Override
  public void prepareForCreate(Tree object, Write write) {
    if (object.tree("spec", "service") == null) {
      var available =
          Tree.of("type", "Available", "status", "True")
              .put("lastTransitionTime", write.now().truncatedTo(ChronoUnit.SECONDS).toString())
              .put("reason", "Local")
              .put("message", "Local APIServices are always available");
      object.put("status", Tree.of("conditions", List.of(available)));
    }
  }

  @Override
  public void validateCreate(Cursor object) {
    var spec = object.at("spec");
    var named = spec.text("version") + "." + spec.text("group");
    ObjectMeta.validate(object, false, (name, _) -> nameComplaints(name, named));
    validateSpec(spec);
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new StatusDoor());
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    validateCreate(object);
  }

  private static List<String> nameComplaints(String name, String named) {
    var complaints = Names.pathSegment(name, false);
    return complaints.isEmpty() && !name.equals(named)
        ? List.of("must be `spec.version+\".\"+spec.group`: \"%s\"".formatted(named))
        : complaints;
  }

  private static void validateSpec(Cursor spec) {
    if (spec.text("group").isEmpty() && !spec.text("version").equals("v1")) {
      spec.at("group").missing("only v1 may have an empty group and it better be legacy kube");
    }
    spec.at("group").ifFilled().follows(Names::dnsSubdomain);
    spec.at("version").follows(Names::dns1035Label);
    validatePriority(spec.at("groupPriorityMinimum"), MAX_GROUP_PRIORITY);
    validatePriority(spec.at("versionPriority"), MAX_VERSION_PRIORITY);
    if (spec.has("service")) {
      validateRemote(spec);
    } else {
      validateLocal(spec);
    }
  }

  private static void validateLocal(Cursor spec) {
    var bundle = spec.at("caBundle").ifFilled();
    bundle.invalid(
        "%d bytes".formatted(Base64.getDecoder().decode(bundle.text()).length),
        "local APIServices may not have a caBundle");
    if (spec.flag("insecureSkipTLSVerify")) {
      spec.at("insecureSkipTLSVerify")
          .invalid("local APIServices may not have insecureSkipTLSVerify");
    }
  }

  private static void validateRemote(Cursor spec) {
    spec.at("service").require("namespace", "name");
    var port = spec.at("service", "port");
    var complaints = Names.portNumber(port.number());
    if (!complaints.isEmpty()) {
      port.invalidNumber("port is not valid: " + String.join(", ", complaints));
    }
    if (spec.flag("insecureSkipTLSVerify") && !spec.text("caBundle").isEmpty()) {
      spec.at("insecureSkipTLSVerify").invalid("may not be true if caBundle is present");
    }
  }

  private static void validatePriority(Cursor priority, int max) {
    if (priority.number() <= 0 || priority.number() > max) {
      priority.invalidNumber("must be positive and less than " + max);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(
        Cells.name(object), service(object), available(object), Cells.age(object, now));
  }

  private static String service(Tree object) {
    var service = object.tree("spec", "service");
    return service == null
        ? "Local"
        : service.textOrEmpty("namespace") + "/" + service.textOrEmpty("name");
  }

  private static String available(Tree object) {
    for (var condition : object.trees("status", "conditions")) {
      if (condition.textOrEmpty("type").equals("Available")) {
        var status = condition.textOrEmpty("status");
        var reason = condition.textOrEmpty("reason");
        return status.equals("True") || reason.isEmpty()
            ? status
            : "%s (%s)".formatted(status, reason);
      }
    }
    return "Unknown";
  }

  /// Conditions are true, false or unknown.
  private static final class StatusDoor extends StatusRules {

    private static final List<String> STATES = List.of("True", "False", "Unknown");

    @Override
    public void validateUpdate(Cursor object, Tree old) {
      super.validateUpdate(object, old);
      object.at("status").each("conditions", condition -> condition.at("status").supported(STATES));
    }
  }
}

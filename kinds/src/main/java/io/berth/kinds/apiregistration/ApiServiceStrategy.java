package io.berth.kinds.apiregistration;

import io.berth.api.ApiException;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Cursor;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `apiregistration.k8s.io/v1 apiservices`
///
/// Requests are not passed on to other servers, so a registration of one is refused: nobody shall
/// rely on what does not happen.
///
/// Mirrors: registry/apiservice.apiServerStrategy, apiregistration/validation.ValidateAPIService
public final class ApiServiceStrategy extends PlainStrategy {

  private static final int MAX_GROUP_PRIORITY = 20_000;
  private static final int MAX_VERSION_PRIORITY = 1000;

  private final Resource resource;

  public ApiServiceStrategy(Resource resource) {
    super(resource);
    this.resource = resource;
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    var available =
        Tree.of("type", "Available", "status", "True")
            .put("lastTransitionTime", write.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .put("reason", "Local")
            .put("message", "Local APIServices are always available");
    object.put("status", Tree.of("conditions", List.of(available)));
  }

  @Override
  public void validateCreate(Cursor object) {
    var spec = object.at("spec");
    if (spec.has("service")) {
      throw ApiException.forbidden(
          resource,
          object.at("metadata").text("name"),
          "requests are not passed on to other API servers, so none is registered");
    }
    var named = spec.text("version") + "." + spec.text("group");
    ObjectMeta.validate(object, false, (name, _) -> nameComplaints(name, named));
    validateSpec(spec);
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
    spec.at("caBundle").ifFilled().invalid("local APIServices may not have a caBundle");
    if (spec.flag("insecureSkipTLSVerify")) {
      spec.at("insecureSkipTLSVerify")
          .invalid("local APIServices may not have insecureSkipTLSVerify");
    }
  }

  private static void validatePriority(Cursor priority, int max) {
    if (priority.number() <= 0 || priority.number() > max) {
      priority.invalidNumber("must be positive and less than " + max);
    }
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), "Local", available(object), Cells.age(object, now));
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
}

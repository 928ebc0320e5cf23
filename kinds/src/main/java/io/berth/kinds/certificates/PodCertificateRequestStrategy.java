package io.berth.kinds.certificates;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.Write;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// `certificates.k8s.io/v1 podcertificaterequests`: what a kubelet asks a signer for on behalf of
/// one of its pods.
public final class PodCertificateRequestStrategy extends PlainStrategy {

  private static final FieldPath SPEC = FieldPath.of("spec");
  private static final FieldPath ANNOTATIONS = SPEC.child("unverifiedUserAnnotations");
  private static final List<String> FIELDS =
      List.of(
          "SignerName",
          "PodName",
          "PodUID",
          "ServiceAccountName",
          "ServiceAccountUID",
          "NodeName",
          "NodeUID",
          "MaxExpirationSeconds",
          "PKIXPublicKey",
          "ProofOfPossession",
          "StubPKCS10Request",
          "UnverifiedUserAnnotations");
  private static final int MAX_ANNOTATIONS_BYTES = 256 * 1024;
  private static final int MAX_UID = 128;
  private static final long DAY_SECONDS = 24 * 60 * 60;
  private static final long SHORTEST_SECONDS = 60 * 60;
  private static final long LONGEST_SECONDS = 91 * DAY_SECONDS;

  public PodCertificateRequestStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public void setDefaults(Tree object) {
    object.child("spec").putIfAbsent("maxExpirationSeconds", DAY_SECONDS);
  }

  @Override
  public void prepareForCreate(Tree object, Write write) {
    object.put("status", new Tree());
  }

  @Override
  public void prepareForUpdate(Tree object, Tree old, Write write) {
    Fields.keep(object, old, "status");
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    super.validateCreate(object, errors);
    var spec = object.treeOrEmpty("spec");
    var signer = spec.textOrEmpty("signerName");
    SignerNames.validate(SPEC.child("signerName"), signer, errors);
    validateAnnotations(spec.texts("unverifiedUserAnnotations"), errors);
    for (var whose : List.of("pod", "serviceAccount", "node")) {
      validateReference(spec, whose, errors);
    }
    validateExpiration(spec.number(0, "maxExpirationSeconds"), signer, errors);
    PodCertificateKeys.validate(spec, errors);
  }

  private static void validateAnnotations(Map<String, String> annotations, FieldErrors errors) {
    long bytes = 0;
    for (var annotation : annotations.entrySet()) {
      var key = annotation.getKey().toLowerCase(Locale.ROOT);
      var complaints = Names.qualifiedName(key);
      if (key.isEmpty()) {
        errors.required(ANNOTATIONS);
      } else if (!complaints.isEmpty()) {
        Checks.complaints(ANNOTATIONS, key, complaints, errors);
      } else if (!key.contains("/")) {
        errors.invalid(ANNOTATIONS, key, "must be a domain-prefixed key (such as \"acme.io/foo\")");
      }
      bytes += Names.bytes(annotation.getKey()) + (long) Names.bytes(annotation.getValue());
    }
    if (bytes > MAX_ANNOTATIONS_BYTES) {
      errors.tooLong(ANNOTATIONS, MAX_ANNOTATIONS_BYTES);
    }
  }

  private static void validateReference(Tree spec, String whose, FieldErrors errors) {
    var name = spec.textOrEmpty(whose + "Name");
    Checks.dnsSubdomain(SPEC.child(whose + "Name"), name, errors);
    var uid = spec.textOrEmpty(whose + "UID");
    if (uid.isEmpty()) {
      errors.invalid(SPEC.child(whose + "UID"), uid, "must not be empty");
    }
    if (Names.bytes(uid) > MAX_UID) {
      errors.tooLong(SPEC.child(whose + "UID"), MAX_UID);
    }
  }

  /// What Kubernetes' own signers sign ends within a day.
  private static void validateExpiration(long seconds, String signer, FieldErrors errors) {
    var domain = signer.split("/", -1)[0];
    boolean ours = domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io");
    long longest = ours ? DAY_SECONDS : LONGEST_SECONDS;
    if (seconds < SHORTEST_SECONDS || seconds > longest) {
      errors.invalid(
          SPEC.child("maxExpirationSeconds"),
          seconds,
          "must be in the range [%d, %d]".formatted(SHORTEST_SECONDS, longest));
    }
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    super.validateUpdate(object, old, errors);
    if (Fields.differs(object, old, "spec")) {
      errors.invalid(SPEC, shown(object.treeOrEmpty("spec")), Checks.IMMUTABLE);
    }
  }

  /// The spec as Kubernetes shows it in messages: with the names of its internal struct.
  private static Tree shown(Tree spec) {
    var struct = new Tree();
    for (var field : FIELDS) {
      var name =
          field.startsWith("PKIX")
              ? "pkix" + field.substring("PKIX".length())
              : field.substring(0, 1).toLowerCase(Locale.ROOT) + field.substring(1);
      struct.put(field, spec.get(name));
    }
    return struct;
  }

  @Override
  public Map<String, UpdateRules> subresources() {
    return Map.of("status", new PodCertificateStatus());
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.signerName", "spec.podName", "spec.nodeName");
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    var spec = object.treeOrEmpty("spec");
    var state = "Pending";
    for (var condition : object.trees("status", "conditions")) {
      var type = condition.textOrEmpty("type");
      state = PodCertificateStatus.ENDS.contains(type) ? type : state;
    }
    return Cells.row(
        Cells.name(object),
        spec.textOrEmpty("podName"),
        spec.textOrEmpty("serviceAccountName"),
        spec.textOrEmpty("nodeName"),
        spec.textOrEmpty("signerName"),
        state,
        shown(spec.texts("unverifiedUserAnnotations")));
  }

  private static String shown(Map<String, String> annotations) {
    return Cells.orNone(
        new TreeMap<>(annotations)
            .entrySet().stream()
                .map(each -> each.getKey() + "=" + each.getValue())
                .collect(Collectors.joining(",")));
  }
}

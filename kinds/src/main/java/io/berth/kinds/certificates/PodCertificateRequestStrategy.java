package io.berth.kinds.certificates;

import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.Fields;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.UpdateRules;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Cursor;
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
///
/// Mirrors: registry/certificates/podcertificaterequest.Strategy,
/// certificates/validation.ValidatePodCertificateRequestCreate
public final class PodCertificateRequestStrategy extends PlainStrategy {

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
  public void validateCreate(Cursor object) {
    super.validateCreate(object);
    var spec = object.at("spec");
    SignerNames.validate(spec.at("signerName"));
    validateAnnotations(spec.at("unverifiedUserAnnotations"));
    for (var whose : List.of("pod", "serviceAccount", "node")) {
      spec.at(whose + "Name").follows(Names::dnsSubdomain);
      var uid = spec.at(whose + "UID").atMostBytes(MAX_UID);
      if (uid.isEmpty()) {
        uid.invalidText("must not be empty");
      }
    }
    validateExpiration(spec.at("maxExpirationSeconds"), spec.text("signerName"));
    PodCertificateKeys.validate(spec);
  }

  private static void validateAnnotations(Cursor annotations) {
    long bytes = 0;
    for (var annotation : annotations.texts().entrySet()) {
      var key = annotations.with(annotation.getKey().toLowerCase(Locale.ROOT)).required();
      if (!Names.qualifiedName(key.text()).isEmpty()) {
        key.follows(Names::qualifiedName);
      } else if (!key.text().contains("/")) {
        key.invalid("must be a domain-prefixed key (such as \"acme.io/foo\")");
      }
      bytes += Names.bytes(annotation.getKey()) + (long) Names.bytes(annotation.getValue());
    }
    if (bytes > MAX_ANNOTATIONS_BYTES) {
      annotations.tooLong(MAX_ANNOTATIONS_BYTES);
    }
  }

  /// What Kubernetes' own signers sign ends within a day.
  private static void validateExpiration(Cursor expiration, String signer) {
    var domain = signer.split("/", -1)[0];
    boolean ours = domain.equals("kubernetes.io") || domain.endsWith(".kubernetes.io");
    long longest = ours ? DAY_SECONDS : LONGEST_SECONDS;
    if (expiration.number() < SHORTEST_SECONDS || expiration.number() > longest) {
      expiration.invalidNumber(
          "must be in the range [%d, %d]".formatted(SHORTEST_SECONDS, longest));
    }
  }

  @Override
  public void validateUpdate(Cursor object, Tree old) {
    super.validateUpdate(object, old);
    if (Fields.differs(object.tree(), old, "spec")) {
      object.at("spec").invalid(shown(object.at("spec").tree()), Checks.IMMUTABLE);
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

package io.berth.kinds.certificates;

import io.berth.api.FieldErrors;
import io.berth.api.FieldPath;
import io.berth.api.Resource;
import io.berth.api.Tree;
import io.berth.kinds.Cells;
import io.berth.kinds.PlainStrategy;
import io.berth.kinds.meta.Checks;
import io.berth.kinds.meta.Names;
import io.berth.kinds.meta.ObjectMeta;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// `certificates.k8s.io/v1 clustertrustbundles`: certificates to trust, perhaps those of one
/// signer, whose name then begins theirs.
public final class ClusterTrustBundleStrategy extends PlainStrategy {

  private static final FieldPath SIGNER = FieldPath.of("spec", "signerName");
  private static final FieldPath BUNDLE = FieldPath.of("spec", "trustBundle");
  private static final int MAX_BYTES = 1 << 20;
  private static final String OMITTED = "<value omitted>";

  public ClusterTrustBundleStrategy(Resource resource) {
    super(resource);
  }

  @Override
  public boolean allowUnconditionalUpdate() {
    return false;
  }

  @Override
  public void validateCreate(Tree object, FieldErrors errors) {
    validate(object, true, errors);
  }

  @Override
  public void validateUpdate(Tree object, Tree old, FieldErrors errors) {
    var bundle = object.textOrEmpty("spec", "trustBundle");
    validate(object, !bundle.equals(old.textOrEmpty("spec", "trustBundle")), errors);
    ObjectMeta.validateUpdate(object, old, errors);
    Checks.immutable(
        SIGNER,
        object.textOrEmpty("spec", "signerName"),
        old.textOrEmpty("spec", "signerName"),
        errors);
  }

  private static void validate(Tree object, boolean parse, FieldErrors errors) {
    var signer = object.textOrEmpty("spec", "signerName");
    ObjectMeta.validate(object, false, (name, prefix) -> nameComplaints(name, signer), errors);
    if (!signer.isEmpty()) {
      SignerNames.validate(SIGNER, signer, errors);
    }
    if (parse) {
      validateBundle(object.textOrEmpty("spec", "trustBundle"), errors);
    }
  }

  private static List<String> nameComplaints(String name, String signer) {
    if (signer.isEmpty()) {
      return name.contains(":")
          ? List.of("ClusterTrustBundle without signer name must not have \":\" in its name")
          : Names.dnsSubdomain(name);
    }
    var prefix = signer.replace('/', ':') + ":";
    return name.startsWith(prefix)
        ? Names.dnsSubdomain(name.substring(prefix.length()))
        : List.of(
            "ClusterTrustBundle for signerName %s must be named with prefix %s"
                .formatted(signer, prefix));
  }

  private static void validateBundle(String pem, FieldErrors errors) {
    if (Names.bytes(pem) > MAX_BYTES) {
      errors.tooLong(BUNDLE, MAX_BYTES);
      return;
    }
    int before = errors.size();
    var places = new LinkedHashMap<String, List<Integer>>();
    var blocks = PemBlock.all(pem);
    for (int i = 0; i < blocks.size(); i++) {
      var problem = problem(blocks.get(i));
      if (problem != null) {
        errors.invalid(BUNDLE, OMITTED, "entry %d %s".formatted(i, problem));
      } else {
        places.computeIfAbsent(blocks.get(i).base64(), _ -> new ArrayList<>()).add(i);
      }
    }
    if (errors.size() > before) {
      return;
    }
    if (places.isEmpty()) {
      errors.invalid(BUNDLE, OMITTED, "at least one trust anchor must be provided");
    }
    for (var each : places.values()) {
      if (each.size() > 1) {
        errors.invalid(
            BUNDLE,
            OMITTED,
            "duplicate trust anchor (indices %s)".formatted(each.toString().replace(",", "")));
      }
    }
  }

  private static @Nullable String problem(PemBlock block) {
    if (!block.type().equals("CERTIFICATE")) {
      return "has bad block type: " + block.type();
    }
    if (block.hasHeaders()) {
      return "has PEM block headers";
    }
    try {
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(block.bytes()));
      return certificate.getBasicConstraints() < 0 ? "does not have the CA bit set" : null;
    } catch (CertificateException e) {
      return "does not parse as X.509";
    }
  }

  @Override
  public Set<String> fieldLabels() {
    return Set.of("spec.signerName");
  }

  @Override
  public List<@Nullable Object> cells(Tree object, Instant now) {
    return Cells.row(Cells.name(object), Cells.orNone(object.textOrEmpty("spec", "signerName")));
  }
}

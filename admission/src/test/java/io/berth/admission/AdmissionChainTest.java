package io.berth.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class AdmissionChainTest {

  @Test
  void theDefaultSetIsThatOfKubernetesWithNodeRestriction() {
    assertThat(AdmissionChain.of(List.of(), List.of()).names())
        .containsExactly(
            "NamespaceLifecycle",
            "LimitRanger",
            "ServiceAccount",
            "NodeRestriction",
            "TaintNodesByCondition",
            "PodSecurity",
            "Priority",
            "DefaultTolerationSeconds",
            "DefaultStorageClass",
            "StorageObjectInUseProtection",
            "PodGroupProtection",
            "PersistentVolumeClaimResize",
            "RuntimeClass",
            "CertificateApproval",
            "CertificateSigning",
            "CertificateSubjectRestriction",
            "DefaultIngressClass",
            "PodTopologyLabels",
            "PodResizeValidator",
            "MutatingAdmissionPolicy",
            "MutatingAdmissionWebhook",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionWebhook",
            "ResourceQuota");
  }

  @Test
  void pluginsAreSwitchedByName() {
    var names =
        AdmissionChain.of(List.of("PodNodeSelector"), List.of("PodSecurity", "AlwaysDeny")).names();

    assertThat(names).contains("PodNodeSelector").doesNotContain("PodSecurity");
    assertThat(names.indexOf("PodNodeSelector")).isLessThan(names.indexOf("Priority"));
  }

  @Test
  void unknownNamesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionChain.of(List.of("Podpriority"), List.of()))
        .withMessageStartingWith("admission plugin \"Podpriority\" is unknown; available are ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionChain.of(List.of(), List.of("Nope")))
        .withMessageStartingWith("admission plugin \"Nope\" is unknown");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionChain.of(List.of("AlwaysDeny"), List.of()))
        .withMessageStartingWith("admission plugin \"AlwaysDeny\" is not built in");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AdmissionChain.of(List.of("Priority"), List.of("Priority")))
        .withMessageContaining("both enabled and disabled");
  }
}

package io.berth.engine.decide;

import io.berth.engine.Rejection;
import io.berth.engine.model.DomainCounts;
import io.berth.engine.rule.Verdict;
import io.berth.engine.rule.affinity.AffinityTerms;
import io.berth.engine.rule.affinity.InterPodAffinity;
import io.berth.engine.rule.spread.PodTopologySpread;
import org.jspecify.annotations.Nullable;

/// Asks PodTopologySpread and InterPodAffinity about a whole group at once.
final class GroupFilter {

  static final int FITS = 0;
  private static final int LABEL_MISSING = 1;
  private static final int SKEWED = 2;
  private static final int AFFINITY = 3;
  private static final int ANTI_AFFINITY = 4;
  private static final int EXISTING = 5;

  private static final Verdict.Unfit[] VERDICTS = {
    Verdict.unschedulable(""),
    PodTopologySpread.LABEL_MISSING,
    PodTopologySpread.SKEWED,
    InterPodAffinity.AFFINITY,
    InterPodAffinity.ANTI_AFFINITY,
    InterPodAffinity.EXISTING_ANTI_AFFINITY
  };

  private final ViewFilters filters;
  private final GroupKeys keys;
  private final SpreadCounts[] hard;
  private final int[] hardDomain;
  private final int[] smallest;
  private final @Nullable AffinityTerms terms;
  private final int[] affinityDomain;
  private final int[] antiDomain;
  private final int[] existingDomain;
  private final @Nullable Rejection[] rejections = new Rejection[VERDICTS.length];
  private boolean nobodyMatches;

  GroupFilter(ViewRules rules) {
    this.filters = rules.filters();
    this.keys = rules.keys();
    this.hard = keys.hard();
    this.smallest = new int[hard.length];
    this.hardDomain = new int[hard.length];
    for (int c = 0; c < hard.length; c++) {
      hardDomain[c] = keys.domainComponent(hard[c].constraint().topology());
    }
    this.terms = keys.required();
    this.affinityDomain = terms == null ? new int[0] : domains(terms.affinity());
    this.antiDomain = terms == null ? new int[0] : domains(terms.antiAffinity());
    this.existingDomain = new int[terms == null ? 0 : terms.existing().length];
    for (int i = 0; terms != null && i < existingDomain.length; i++) {
      existingDomain[i] = keys.domainComponent(terms.existing()[i].counts().topology());
    }
  }

  private int[] domains(DomainCounts[] counts) {
    var domains = new int[counts.length];
    for (int i = 0; i < counts.length; i++) {
      domains[i] = keys.domainComponent(counts[i].topology());
    }
    return domains;
  }

  /// Reads what holds for all groups in this decision.
  void begin() {
    for (int c = 0; c < hard.length; c++) {
      smallest[c] = hard[c].smallest();
    }
    nobodyMatches = terms != null && terms.matchesItself();
    for (int i = 0; nobodyMatches && terms != null && i < affinityDomain.length; i++) {
      nobodyMatches = terms.affinity()[i].carriers() == 0;
    }
  }

  /// What the two rules object to nodes of the group, the one that runs first winning.
  int objection(Group group) {
    int first;
    if (filters.spreadRank() < filters.affinityRank()) {
      first = spread(group);
      return first != FITS ? first : affinity(group);
    }
    first = affinity(group);
    return first != FITS ? first : spread(group);
  }

  private int spread(Group group) {
    for (int c = 0; c < hard.length; c++) {
      int count;
      if (hardDomain[c] >= 0) {
        int domain = group.key[hardDomain[c]];
        if (domain < 0) {
          return LABEL_MISSING;
        }
        count = hard[c].inDomain(domain);
      } else {
        count = keys.hardCount(group, c);
        if (count < 0) {
          return LABEL_MISSING;
        }
      }
      var constraint = hard[c].constraint();
      if (count + constraint.selfMatch() - smallest[c] > constraint.maxSkew()) {
        return SKEWED;
      }
    }
    return FITS;
  }

  private int affinity(Group group) {
    if (terms == null) {
      return FITS;
    }
    if (!satisfiesAffinity(group, terms)) {
      return AFFINITY;
    }
    if (keys.violatesOwnAnti(group) || violates(group, antiDomain, terms.antiAffinity())) {
      return ANTI_AFFINITY;
    }
    return keys.violatesOwnExisting(group) || violatesExisting(group, terms) ? EXISTING : FITS;
  }

  private boolean satisfiesAffinity(Group group, AffinityTerms wanted) {
    boolean found = true;
    for (int i = 0; i < affinityDomain.length; i++) {
      if (affinityDomain[i] >= 0) {
        int domain = group.key[affinityDomain[i]];
        if (domain < 0) {
          return false;
        }
        found &= wanted.affinity()[i].inDomain(domain) > 0;
      } else {
        int state = keys.ownAffinity(group, i);
        if (state == 2) {
          return false;
        }
        found &= state == 1;
      }
    }
    return found || nobodyMatches;
  }

  private static boolean violates(Group group, int[] domains, DomainCounts[] counts) {
    for (int i = 0; i < domains.length; i++) {
      if (domains[i] >= 0
          && group.key[domains[i]] >= 0
          && counts[i].inDomain(group.key[domains[i]]) > 0) {
        return true;
      }
    }
    return false;
  }

  private boolean violatesExisting(Group group, AffinityTerms wanted) {
    for (int i = 0; i < existingDomain.length; i++) {
      int at = existingDomain[i];
      if (at >= 0
          && group.key[at] >= 0
          && wanted.existing()[i].counts().inDomain(group.key[at]) > 0) {
        return true;
      }
    }
    return false;
  }

  int rank(int objection) {
    return objection <= SKEWED ? filters.spreadRank() : filters.affinityRank();
  }

  /// One object for each objection: refusals ask for it once a node.
  Rejection rejection(int objection) {
    var known = rejections[objection];
    if (known == null) {
      var unfit = VERDICTS[objection];
      known = new Rejection(filters.ruleName(rank(objection)), unfit.code(), unfit.reasons());
      rejections[objection] = known;
    }
    return known;
  }
}

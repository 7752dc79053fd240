package dev.plumbline.recall.verdict;

/** The judgement about a candidate. */
public sealed interface Verdict extends Outcome permits Safe, Regression, NotEnoughEvidence {

    /** SAFE, REGRESSION or NOT ENOUGH EVIDENCE. */
    String title();
}

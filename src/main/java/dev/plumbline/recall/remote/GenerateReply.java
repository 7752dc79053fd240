package dev.plumbline.recall.remote;

import dev.plumbline.recall.result.NeedleTrace;
import java.util.List;

/**
 * What SGLang's native endpoint gave.
 *
 * @param reply the answer
 * @param needle what was selected
 */
record GenerateReply(ChatReply reply, List<NeedleTrace> needle) {}

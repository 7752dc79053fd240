// Java's view of plumbline.h (class dev.plumbline.kernel.cpu.Native): addresses come as long, nothing is copied but
// arrays, nothing is decided here.
#include "plumbline.h"

#include <jni.h>

namespace {

template <class T>
T *at(jlong address) {
    return reinterpret_cast<T *>(address);
}

pl_context *contextAt(jlong address) { return at<pl_context>(address); }

// The fields of pl_batch in their order.
struct BatchFields {
    pl_batch batch;
    BatchFields(JNIEnv *env, jlongArray array) {
        jlong f[9] = {};
        env->GetLongArrayRegion(array, 0, 9, f);
        batch = {f[0], f[1], f[2], at<int32_t>(f[3]), at<int32_t>(f[4]), at<int32_t>(f[5]), at<int32_t>(f[6]),
                 at<int32_t>(f[7]), at<int32_t>(f[8])};
    }
    const pl_batch *operator&() const { return &batch; }
};

constexpr jsize POOL_FIELDS = 7;

// The fields of pl_pool in their order.
pl_pool poolOf(const jlong *f) { return {at<void>(f[0]), f[1], f[2], f[3], f[4], f[5], f[6]}; }

// A pool, or none for a null array.
struct PoolFields {
    pl_pool pool = {};
    bool given;
    PoolFields(JNIEnv *env, jlongArray array) : given(array != nullptr) {
        jlong f[POOL_FIELDS] = {};
        if (given) {
            env->GetLongArrayRegion(array, 0, POOL_FIELDS, f);
        }
        pool = poolOf(f);
    }
    const pl_pool *operator&() const { return given ? &pool : nullptr; }
};

// Elements of a long[] for the time of a call.
class Longs {
public:
    Longs(JNIEnv *env, jlongArray array) : env_(env), array_(array) {
        count_ = env->GetArrayLength(array);
        data_ = env->GetLongArrayElements(array, nullptr);
    }
    ~Longs() {
        if (data_ != nullptr) {
            env_->ReleaseLongArrayElements(array_, data_, JNI_ABORT);
        }
    }
    bool ok() const { return data_ != nullptr; }
    jsize count() const { return count_; }
    const pl_weight *const *weights() const { return reinterpret_cast<const pl_weight *const *>(data_); }

private:
    JNIEnv *env_;
    jlongArray array_;
    jsize count_;
    jlong *data_;
};

// The status of a call that could not reach the elements of an array; Java makes the exception of it.
jlong noArray(JNIEnv *env) {
    env->ExceptionClear();
    return PL_ERROR_ARRAY;
}

pl_hyper hyperOf(
        jlong fn, jint fnType, jlong base, jlong scale, jlong iterations, jfloat hcEps, jfloat normEps) {
    return {at<void>(fn), fnType, at<float>(base), at<float>(scale), iterations, hcEps, normEps};
}

} // namespace

#define PL_JAVA(type, name) extern "C" JNIEXPORT type JNICALL Java_dev_plumbline_kernel_cpu_Native_##name
#define PL_KERNEL(name) PL_JAVA(jlong, name)

PL_JAVA(jint, abiVersion)(JNIEnv *, jclass) { return pl_abi_version(); }

PL_JAVA(jstring, availableIsas)(JNIEnv *env, jclass) { return env->NewStringUTF(pl_available_isas()); }

PL_JAVA(jlong, createContext)(JNIEnv *env, jclass, jint threads, jstring isa) {
    char error[512] = "";
    const char *name = isa == nullptr ? nullptr : env->GetStringUTFChars(isa, nullptr);
    pl_context *context = pl_context_create(threads, name, error, sizeof error);
    if (name != nullptr) {
        env->ReleaseStringUTFChars(isa, name);
    }
    if (context == nullptr) {
        env->ThrowNew(env->FindClass("java/lang/IllegalArgumentException"), error);
    }
    return reinterpret_cast<jlong>(context);
}

PL_JAVA(void, destroyContext)(JNIEnv *, jclass, jlong context) { pl_context_destroy(contextAt(context)); }

PL_JAVA(jstring, isa)(JNIEnv *env, jclass, jlong context) {
    return env->NewStringUTF(pl_context_isa(contextAt(context)));
}

PL_JAVA(jstring, error)(JNIEnv *env, jclass, jlong context) {
    return env->NewStringUTF(pl_error(contextAt(context)));
}

PL_JAVA(jstring, variantName)(JNIEnv *env, jclass, jlong id) {
    const char *name = pl_variant_name(id);
    return name == nullptr ? nullptr : env->NewStringUTF(name);
}

PL_JAVA(jlong, allocate)(JNIEnv *, jclass, jlong bytes) { return reinterpret_cast<jlong>(pl_allocate(bytes)); }

PL_JAVA(void, touch)(JNIEnv *, jclass, jlong address) { pl_touch(at<void>(address)); }

PL_JAVA(void, free)(JNIEnv *, jclass, jlong address, jlong bytes) { pl_free(at<void>(address), bytes); }

PL_JAVA(jlong, writeFloats)
(JNIEnv *env, jclass, jlong target, jint dtype, jlong from, jfloatArray source, jint offset, jint length) {
    void *data = env->GetPrimitiveArrayCritical(source, nullptr);
    if (data == nullptr) {
        return noArray(env);
    }
    pl_write_floats(at<void>(target), dtype, from, static_cast<float *>(data) + offset, length);
    env->ReleasePrimitiveArrayCritical(source, data, JNI_ABORT);
    return 0;
}

PL_JAVA(jlong, readFloats)
(JNIEnv *env, jclass, jlong source, jint dtype, jlong from, jfloatArray target, jint offset, jint length) {
    void *data = env->GetPrimitiveArrayCritical(target, nullptr);
    if (data == nullptr) {
        return noArray(env);
    }
    pl_read_floats(at<void>(source), dtype, from, static_cast<float *>(data) + offset, length);
    env->ReleasePrimitiveArrayCritical(target, data, 0);
    return 0;
}

PL_JAVA(void, writeInts)
(JNIEnv *env, jclass, jlong target, jlong from, jintArray source, jint offset, jint length) {
    env->GetIntArrayRegion(source, offset, length, at<jint>(target) + from);
}

PL_JAVA(void, readInts)
(JNIEnv *env, jclass, jlong source, jlong from, jintArray target, jint offset, jint length) {
    env->SetIntArrayRegion(target, offset, length, at<jint>(source) + from);
}

PL_JAVA(void, writeBytes)
(JNIEnv *env, jclass, jlong target, jlong from, jbyteArray source, jint offset, jint length) {
    env->GetByteArrayRegion(source, offset, length, at<jbyte>(target) + from);
}

PL_JAVA(void, readBytes)
(JNIEnv *env, jclass, jlong source, jlong from, jbyteArray target, jint offset, jint length) {
    env->SetByteArrayRegion(target, offset, length, at<jbyte>(source) + from);
}

PL_JAVA(jlong, createWeight)(JNIEnv *, jclass, jlong context, jint form, jlong outputs, jlong inputs) {
    return reinterpret_cast<jlong>(pl_weight_create(contextAt(context), form, outputs, inputs));
}

PL_JAVA(jlong, fillWeight)
(JNIEnv *env, jclass, jlong context, jlong weight, jlong firstRow, jlong rows, jfloatArray source) {
    void *data = env->GetPrimitiveArrayCritical(source, nullptr);
    if (data == nullptr) {
        return noArray(env);
    }
    jlong result =
            pl_weight_fill(contextAt(context), at<pl_weight>(weight), firstRow, rows, static_cast<float *>(data));
    env->ReleasePrimitiveArrayCritical(source, data, JNI_ABORT);
    return result;
}

PL_JAVA(jlong, weightBytes)(JNIEnv *, jclass, jlong weight) { return pl_weight_bytes(at<pl_weight>(weight)); }

PL_JAVA(void, destroyWeight)(JNIEnv *, jclass, jlong weight) { pl_weight_destroy(at<pl_weight>(weight)); }

PL_KERNEL(embed)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jint tableType, jlong vocabulary, jlong hidden, jlong streams,
 jlong table, jlong out) {
    BatchFields b(env, batch);
    return pl_embed(
            contextAt(context), &b, tableType, vocabulary, hidden, streams, at<void>(table), at<float>(out));
}

PL_KERNEL(angles)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong pairs, jlong frequencies, jlong table) {
    BatchFields b(env, batch);
    return pl_angles(contextAt(context), &b, pairs, at<float>(frequencies), at<float>(table));
}

PL_KERNEL(visible)(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong ratio, jlong counts) {
    BatchFields b(env, batch);
    return pl_visible(contextAt(context), &b, ratio, at<int32_t>(counts));
}

PL_KERNEL(mix)
(JNIEnv *, jclass, jlong context, jlong rows, jlong streams, jlong hidden, jlong x, jlong fn, jint fnType, jlong base,
 jlong scale, jlong iterations, jfloat hcEps, jfloat normEps, jlong post, jlong comb, jlong collapsed) {
    pl_hyper hyper = hyperOf(fn, fnType, base, scale, iterations, hcEps, normEps);
    return pl_mix(
            contextAt(context), rows, streams, hidden, at<float>(x), &hyper, at<float>(post), at<float>(comb),
            at<float>(collapsed));
}

PL_KERNEL(unmix)
(JNIEnv *, jclass, jlong context, jlong rows, jlong streams, jlong hidden, jlong y, jlong post, jlong comb, jlong x) {
    return pl_unmix(
            contextAt(context), rows, streams, hidden, at<float>(y), at<float>(post), at<float>(comb), at<float>(x));
}

PL_KERNEL(collapse)
(JNIEnv *, jclass, jlong context, jlong rows, jlong streams, jlong hidden, jlong x, jlong fn, jint fnType, jlong base,
 jlong scale, jfloat hcEps, jfloat normEps, jlong collapsed) {
    pl_hyper hyper = hyperOf(fn, fnType, base, scale, 0, hcEps, normEps);
    return pl_collapse(contextAt(context), rows, streams, hidden, at<float>(x), &hyper, at<float>(collapsed));
}

PL_KERNEL(rmsNorm)
(JNIEnv *, jclass, jlong context, jlong rows, jlong width, jlong x, jlong weight, jfloat eps, jlong y) {
    return pl_rms_norm(contextAt(context), rows, width, at<float>(x), at<float>(weight), eps, at<float>(y));
}

PL_KERNEL(linear)(JNIEnv *, jclass, jlong context, jlong rows, jlong x, jlong weight, jlong y) {
    return pl_linear(contextAt(context), rows, at<float>(x), at<pl_weight>(weight), at<float>(y));
}

PL_KERNEL(groupedLinear)
(JNIEnv *env, jclass, jlong context, jlong rows, jlong x, jlongArray weights, jlong y) {
    Longs list(env, weights);
    return !list.ok() ? noArray(env)
                      : pl_grouped_linear(
                                contextAt(context), rows, at<float>(x), list.weights(), list.count(), at<float>(y));
}

PL_KERNEL(rope)
(JNIEnv *, jclass, jlong context, jlong rows, jlong heads, jlong width, jlong rotated, jlong x, jlong table,
 jboolean inverse) {
    return pl_rope(contextAt(context), rows, heads, width, rotated, at<float>(x), at<float>(table), inverse);
}

PL_KERNEL(transform)(JNIEnv *, jclass, jlong context, jlong rows, jlong width, jlong x, jint transform) {
    return pl_transform(contextAt(context), rows, width, at<float>(x), transform);
}

PL_KERNEL(windowKeys)
(JNIEnv *, jclass, jlong context, jlong rows, jlong width, jlong rotated, jlong x, jlong weight, jfloat eps,
 jlong table, jint transform, jint outType, jlong out) {
    return pl_window_keys(
            contextAt(context), rows, width, rotated, at<float>(x), at<float>(weight), eps, at<float>(table), transform,
            outType, at<void>(out));
}

PL_KERNEL(appendRing)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jint sourceType, jlong source, jlongArray ring) {
    BatchFields b(env, batch);
    PoolFields p(env, ring);
    return pl_append_ring(contextAt(context), &b, sourceType, at<void>(source), &p);
}

PL_KERNEL(compress)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong ratio, jboolean overlapping, jlong rotated, jlong ape,
 jlong norm, jfloat eps, jlong frequencies, jlong projected, jlong state, jlong stateSlots, jlong pages,
 jlong pagesPerSequence, jlongArray pool, jint transform, jlong shadow) {
    BatchFields b(env, batch);
    PoolFields p(env, pool);
    return pl_compress(
            contextAt(context), &b, ratio, overlapping, rotated, at<float>(ape), at<float>(norm), eps,
            at<float>(frequencies), at<float>(projected), at<float>(state), stateSlots, at<int32_t>(pages),
            pagesPerSequence, &p, transform, at<float>(shadow));
}

PL_KERNEL(indexScores)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong rowFrom, jlong rows, jlong heads, jlong q,
 jlong headWeights, jlongArray keys, jlong pages, jlong pagesPerSequence, jlong counts, jint scoreType,
 jlongArray gathered, jlong scores, jlong scoreStride) {
    BatchFields b(env, batch);
    PoolFields k(env, keys);
    PoolFields g(env, gathered);
    return pl_index_scores(
            contextAt(context), &b, rowFrom, rows, heads, at<float>(q), at<float>(headWeights), &k, at<int32_t>(pages),
            pagesPerSequence, at<int32_t>(counts), scoreType, &g, at<float>(scores), scoreStride);
}

PL_KERNEL(topK)
(JNIEnv *, jclass, jlong context, jboolean sort, jlong rows, jlong candidates, jlong scores, jlong counts,
 jlong budget, jlong ids, jlong found) {
    return pl_top_k(
            contextAt(context), sort, rows, candidates, at<float>(scores), at<int32_t>(counts), budget,
            at<int32_t>(ids), at<int32_t>(found));
}

PL_KERNEL(attention)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong heads, jlong width, jlong q, jint keyType, jlong keys,
 jlongArray ring, jlongArray entries, jlong sinks, jfloat scale, jboolean mma, jlong out, jlong logSumExp) {
    BatchFields b(env, batch);
    PoolFields r(env, ring);
    pl_entries e = {};
    if (entries != nullptr) {
        jlong f[POOL_FIELDS + 5] = {};
        env->GetLongArrayRegion(entries, 0, POOL_FIELDS + 5, f);
        const jlong *own = f + POOL_FIELDS;
        e = {poolOf(f), at<int32_t>(own[0]), own[1], at<int32_t>(own[2]), own[3], at<int32_t>(own[4])};
    }
    return pl_attention(
            contextAt(context), &b, heads, width, at<float>(q), keyType, at<void>(keys), &r,
            entries == nullptr ? nullptr : &e, at<float>(sinks), scale, mma, at<float>(out), at<float>(logSumExp));
}

PL_KERNEL(route)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong experts, jlong chosen, jlong logits, jlong bias,
 jlong table, jlong vocabulary, jfloat scaling, jlong ids, jlong weights) {
    BatchFields b(env, batch);
    return pl_route(
            contextAt(context), &b, experts, chosen, at<float>(logits), at<float>(bias), at<int32_t>(table), vocabulary,
            scaling, at<int32_t>(ids), at<float>(weights));
}

PL_KERNEL(experts)
(JNIEnv *env, jclass, jlong context, jlongArray batch, jlong hidden, jlong chosen, jlong x, jlong ids, jlong weights,
 jlongArray gateUp, jlongArray down, jfloat limit, jboolean separate, jfloat scaling, jlong y) {
    BatchFields b(env, batch);
    Longs up(env, gateUp);
    Longs low(env, down);
    return !up.ok() || !low.ok()
                   ? noArray(env)
                   : pl_experts(
                             contextAt(context), &b, hidden, chosen, up.count(), at<float>(x), at<int32_t>(ids),
                             at<float>(weights), up.weights(), low.weights(), limit,
                             separate ? &scaling : nullptr, at<float>(y));
}

PL_KERNEL(swiglu)(JNIEnv *, jclass, jlong context, jlong rows, jlong width, jlong gateUp, jfloat limit, jlong h) {
    return pl_swiglu(contextAt(context), rows, width, at<float>(gateUp), limit, at<float>(h));
}

PL_KERNEL(gatherRows)
(JNIEnv *, jclass, jlong context, jlong sourceRows, jlong rowBytes, jlong x, jlong rows, jlong count, jlong out) {
    return pl_gather_rows(
            contextAt(context), sourceRows, rowBytes, at<void>(x), at<int32_t>(rows), count, at<void>(out));
}

PL_KERNEL(sample)
(JNIEnv *env, jclass, jlong context, jlong rows, jlong vocabulary, jlong logits, jlongArray sampling, jlong ids) {
    jlong f[9] = {};
    env->GetLongArrayRegion(sampling, 0, 9, f);
    pl_sampling s = {at<int32_t>(f[0]), at<int32_t>(f[1]), at<float>(f[2]), f[3],         at<float>(f[4]),
                     at<float>(f[5]),   at<int32_t>(f[6]), at<int32_t>(f[7]), at<int32_t>(f[8])};
    return pl_sample(contextAt(context), rows, vocabulary, at<float>(logits), &s, at<int32_t>(ids));
}

PL_KERNEL(logProbabilities)
(JNIEnv *, jclass, jlong context, jlong rows, jlong vocabulary, jlong logits, jlong ids, jlong chosen, jlong k,
 jlong topIds, jlong top) {
    return pl_log_probabilities(
            contextAt(context), rows, vocabulary, at<float>(logits), at<int32_t>(ids), at<float>(chosen), k,
            at<int32_t>(topIds), at<float>(top));
}

// Lets an addon written for Node-API 10 run on a host that offers only Node-API 9, by a forced include.
//
// What version 10 added and better-sqlite3 uses: references to any value. Version 9 takes objects, functions and
// symbols alone, so every other value is put into an array of one and the reference is made to that; the set
// remembers which references are of this kind. Addons may run in several threads, hence the lock.
#pragma once
#include <node_api.h>

#include <mutex>
#include <unordered_set>

namespace napi9 {

struct Wrapped {
  std::mutex lock;
  std::unordered_set<napi_ref> refs;

  bool has(napi_ref ref) {
    std::lock_guard<std::mutex> hold(lock);
    return refs.count(ref) != 0;
  }
  void add(napi_ref ref) {
    std::lock_guard<std::mutex> hold(lock);
    refs.insert(ref);
  }
  void drop(napi_ref ref) {
    std::lock_guard<std::mutex> hold(lock);
    refs.erase(ref);
  }
};

// Never destroyed: references may outlive static destructors.
inline Wrapped& wrapped() {
  static Wrapped* all = new Wrapped;
  return *all;
}

inline bool referable(napi_valuetype type) {
  return type == napi_object || type == napi_function || type == napi_symbol || type == napi_external;
}

inline napi_status create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
  napi_valuetype type;
  napi_status status = napi_typeof(env, value, &type);
  if (status != napi_ok) return status;
  if (referable(type)) return napi_create_reference(env, value, count, result);
  napi_value holder;
  status = napi_create_array_with_length(env, 1, &holder);
  if (status == napi_ok) status = napi_set_element(env, holder, 0, value);
  if (status == napi_ok) status = napi_create_reference(env, holder, count, result);
  if (status == napi_ok) wrapped().add(*result);
  return status;
}

inline napi_status get_reference_value(napi_env env, napi_ref ref, napi_value* result) {
  const napi_status status = napi_get_reference_value(env, ref, result);
  if (status != napi_ok || *result == nullptr || !wrapped().has(ref)) return status;
  return napi_get_element(env, *result, 0, result);
}

inline napi_status delete_reference(napi_env env, napi_ref ref) {
  wrapped().drop(ref);
  return napi_delete_reference(env, ref);
}

}  // namespace napi9

#define napi_create_reference napi9::create_reference
#define napi_get_reference_value napi9::get_reference_value
#define napi_delete_reference napi9::delete_reference

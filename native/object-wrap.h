// Stands in for node_object_wrap.h, of which it takes the place by having the same guard; see rebuild.mjs. Only what better-sqlite3
// uses of it: an object that the garbage collector frees together with the one of JavaScript that wraps it.
#ifndef SRC_NODE_OBJECT_WRAP_H_
#define SRC_NODE_OBJECT_WRAP_H_

#include <cassert>
#include <node.h>

namespace node {

class ObjectWrap {
 public:
  ObjectWrap() = default;
  ObjectWrap(const ObjectWrap&) = delete;
  ObjectWrap& operator=(const ObjectWrap&) = delete;
  virtual ~ObjectWrap() { handle_.Reset(); }

  template <class T>
  static T* Unwrap(v8::Local<v8::Object> object) {
    assert(object->InternalFieldCount() > 0);
    void* wrapped = object->GetAlignedPointerFromInternalField(0);
    return static_cast<T*>(static_cast<ObjectWrap*>(wrapped));
  }

 protected:
  void Wrap(v8::Local<v8::Object> object) {
    assert(handle_.IsEmpty() && object->InternalFieldCount() > 0);
    object->SetAlignedPointerInInternalField(0, this);
    handle_.Reset(v8::Isolate::GetCurrent(), object);
    handle_.SetWeak(this, Free, v8::WeakCallbackType::kParameter);
  }

 private:
  static void Free(const v8::WeakCallbackInfo<ObjectWrap>& info) {
    ObjectWrap* wrap = info.GetParameter();
    wrap->handle_.Reset();
    delete wrap;
  }

  v8::Global<v8::Object> handle_;
};

}  // namespace node

#endif

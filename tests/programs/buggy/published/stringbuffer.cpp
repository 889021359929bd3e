// WHAT    A buffer of JDK 1.4: append(other) asks other's length and then copies that many
//         characters. Each step is synchronised, the two together are not, and the other buffer
//         shrinks in between.
// EXPECT  failure crash   sites get_chars
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE erase, get_chars|append, get_chars|length, erase
// PUBLISHED stringbuffer
// BUILD   -O0
// ORIGIN  SCTBench CB.stringbuffer-jdk1.4: two threads.
#include <pthread.h>

#include <cassert>
#include <cstring>

namespace {

constexpr int kCapacity = 64;

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) { append(text); }
  StringBuffer() = default;

  int length() {
    pthread_mutex_lock(&lock_);
    const int result = count_;
    pthread_mutex_unlock(&lock_);
    return result;
  }

  void get_chars(int begin, int end, char* target) {
    pthread_mutex_lock(&lock_);
    assert(begin >= 0 && begin <= end && end <= count_);
    for (int i = begin; i < end; i++) target[i - begin] = value_[i];
    pthread_mutex_unlock(&lock_);
  }

  void append(StringBuffer* other) {
    pthread_mutex_lock(&lock_);
    const int size = other->length();
    // The other buffer is not locked here: its length may be out of date when it is used.
    other->get_chars(0, size, value_ + count_);
    count_ += size;
    pthread_mutex_unlock(&lock_);
  }

  void append(const char* text) {
    pthread_mutex_lock(&lock_);
    const int size = static_cast<int>(std::strlen(text));
    for (int i = 0; i < size; i++) value_[count_ + i] = text[i];
    count_ += size;
    pthread_mutex_unlock(&lock_);
  }

  void erase(int begin, int end) {
    pthread_mutex_lock(&lock_);
    const int tail = count_ - end;
    for (int i = 0; i < tail; i++) value_[begin + i] = value_[end + i];
    count_ -= end - begin;
    pthread_mutex_unlock(&lock_);
  }

 private:
  pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
  char value_[kCapacity] = {};
  int count_ = 0;
};

StringBuffer shared("abc");

void* rewrite(void*) {
  shared.erase(0, 3);
  shared.append("abc");
  return nullptr;
}

void* copy(void*) {
  StringBuffer mine;
  mine.append(&shared);
  return nullptr;
}

}  // namespace

int main() {
  pthread_t rewriter, copier;
  pthread_create(&rewriter, nullptr, rewrite, nullptr);
  pthread_create(&copier, nullptr, copy, nullptr);
  pthread_join(rewriter, nullptr);
  pthread_join(copier, nullptr);
}

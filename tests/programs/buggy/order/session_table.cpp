// WHAT    A session's constructor enters the session in a global slot and only then sets its plain
//         fields; an audit that finds it in between reads the user's name through a null pointer.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   data race|order violation
// MIN_PREEMPTIONS 1
// DECISIVE Session, name_hash
#include <atomic>
#include <cstdio>
#include <thread>

class Session;
static std::atomic<Session*> current{nullptr};

class Session {
 public:
  Session(const char* user, int quota) {
    current.store(this);
    user_ = user;
    quota_ = quota;
  }

  unsigned name_hash() const {
    unsigned hash = 5381;
    for (const char* c = user_; *c != '\0'; ++c) hash = hash * 33 + static_cast<unsigned char>(*c);
    return hash;
  }

  int quota() const { return quota_; }

 private:
  const char* user_ = nullptr;
  int quota_ = 0;
};

static std::atomic<unsigned> last_audit{0};

static void open_session() { new Session("operator", 3); }

static void audit() {
  if (const Session* session = current.load()) last_audit.store(session->name_hash());
}

int main() {
  std::thread opener(open_session);
  std::thread auditor(audit);
  opener.join();
  auditor.join();
  Session* session = current.load();
  std::printf("quota %d, audit %u\n", session->quota(), last_audit.load());
  delete session;
  return 0;
}

// WHAT    A lock-free stack without a version: while one thread is between reading the head and the
//         exchange, another pops two nodes and pushes the first back. The exchange succeeds and a
//         node that is in use becomes the head.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE pop, push|pop, pop
#include <atomic>
#include <cstdio>
#include <thread>

namespace {

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<int> owners{0};
};

class Stack {
 public:
  void push(Node* node) {
    Node* head = head_;
    do {
      node->next = head;
    } while (!head_.compare_exchange_strong(head, node));
  }
  Node* pop() {
    Node* head = head_;
    while (head != nullptr && !head_.compare_exchange_strong(head, head->next)) {
    }
    return head;
  }

 private:
  std::atomic<Node*> head_{nullptr};
};

Stack stack;
Node nodes[3];
std::atomic<bool> shared_ownership{false};

void own(Node* node) {
  if (node != nullptr && ++node->owners > 1) shared_ownership = true;
}

void pop_one() { own(stack.pop()); }

void pop_two_push_one() {
  Node* first = stack.pop();
  own(stack.pop());
  if (first != nullptr) stack.push(first);
}

}  // namespace

int main() {
  for (Node& node : nodes) stack.push(&node);
  std::thread victim(pop_one), other(pop_two_push_one);
  victim.join();
  other.join();
  while (Node* node = stack.pop()) {
    own(node);
    if (shared_ownership) break;
  }
  if (!shared_ownership) return 0;
  std::fprintf(stderr, "a node was popped twice\n");
  return 1;
}

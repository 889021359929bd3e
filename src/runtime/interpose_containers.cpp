// The parts of std::list, std::map and std::set that libstdc++ keeps in the library, where no callback tells of their
// accesses. A list's links are so few that they are set here, one access after another, as the compiler would instrument
// them. A tree's are reported as far as its users depend on them (the node, its neighbours, the header that every search
// begins at), then the real function sets them. The layouts are part of libstdc++'s ABI.
#include <cstddef>

#include "runtime/fast/access.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace heddle::runtime {
namespace {

template <class Value>
Value* load(Value* const& from, void* caller) {
  access<sizeof(Value*), Alignment::natural>(&from, EventKind::read, caller);
  return from;
}
template <class Value>
void store(Value*& to, Value* value, void* caller) {
  access<sizeof(Value*), Alignment::natural>(&to, EventKind::write, caller);
  to = value;
}

struct ListNode {
  ListNode* next;
  ListNode* previous;
};

void link(ListNode& first, ListNode& second, void* caller) {
  store(first.next, &second, caller);
  store(second.previous, &first, caller);
}

struct TreeNode {
  int colour;
  TreeNode* parent;
  TreeNode* left;
  TreeNode* right;
};

void reads(const TreeNode* node, void* caller) {
  access_range(node, sizeof(TreeNode), EventKind::read_range, caller);
}
void writes(const TreeNode* node, void* caller) {
  access_range(node, sizeof(TreeNode), EventKind::write_range, caller);
}
// To the next node or the one before.
template <class Node>
Node* step(Real<Node*(Node*)>& real, Node* node, void* caller) {
  reads(node, caller);
  return real(node);
}
bool watched() { return heddle_fast_state_v6.skip <= 0; }

HEDDLE_REAL Real<void(ListNode*)> real_reverse{"_ZNSt8__detail15_List_node_base10_M_reverseEv"};
HEDDLE_REAL Real<void(ListNode*, ListNode*)> real_swap{
    "_ZNSt8__detail15_List_node_base4swapERS0_S1_"};
HEDDLE_REAL Real<void(bool, TreeNode*, TreeNode*, TreeNode*)> real_insert{
    "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_"};
HEDDLE_REAL Real<TreeNode*(TreeNode*, TreeNode*)> real_erase{
    "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_"};
HEDDLE_REAL Real<TreeNode*(TreeNode*)> real_increment{
    "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base"};
HEDDLE_REAL Real<const TreeNode*(const TreeNode*)> real_increment_const{
    "_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base"};
HEDDLE_REAL Real<TreeNode*(TreeNode*)> real_decrement{
    "_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base"};
HEDDLE_REAL Real<const TreeNode*(const TreeNode*)> real_decrement_const{
    "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base"};

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;
using heddle::EventKind;

// std::__detail::_List_node_base::_M_hook(): puts a node before another.
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(ListNode* self,
                                                                ListNode* position) {
  ListNode* const before = load(position->previous, HEDDLE_CALLER);
  link(*before, *self, HEDDLE_CALLER);
  link(*self, *position, HEDDLE_CALLER);
}
// _M_unhook(): takes a node out.
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base9_M_unhookEv(ListNode* self) {
  ListNode* const after = load(self->next, HEDDLE_CALLER);
  ListNode* const before = load(self->previous, HEDDLE_CALLER);
  link(*before, *after, HEDDLE_CALLER);
}
// _M_transfer(): moves the nodes from `first` up to `last` before this one.
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ListNode* self,
                                                                        ListNode* first,
                                                                        ListNode* last) {
  if (self == last) return;
  ListNode* const before_first = load(first->previous, HEDDLE_CALLER);
  ListNode* const final = load(last->previous, HEDDLE_CALLER);
  ListNode* const before_self = load(self->previous, HEDDLE_CALLER);
  link(*before_first, *last, HEDDLE_CALLER);
  link(*before_self, *first, HEDDLE_CALLER);
  link(*final, *self, HEDDLE_CALLER);
}
// _M_reverse()
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base10_M_reverseEv(ListNode* self) {
  access_range(self, sizeof(ListNode), EventKind::write_range, HEDDLE_CALLER);
  real_reverse(self);
}
// swap(): of two whole lists.
HEDDLE_EXPORT void _ZNSt8__detail15_List_node_base4swapERS0_S1_(ListNode* one, ListNode* other) {
  access_range(one, sizeof(ListNode), EventKind::write_range, HEDDLE_CALLER);
  access_range(other, sizeof(ListNode), EventKind::write_range, HEDDLE_CALLER);
  real_swap(one, other);
}

// std::_Rb_tree_insert_and_rebalance()
HEDDLE_EXPORT void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(
    bool left, TreeNode* node, TreeNode* parent, TreeNode* header) {
  writes(node, HEDDLE_CALLER);
  if (parent != header) writes(parent, HEDDLE_CALLER);
  writes(header, HEDDLE_CALLER);
  real_insert(left, node, parent, header);
}
// std::_Rb_tree_rebalance_for_erase()
HEDDLE_EXPORT TreeNode* _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(
    TreeNode* node, TreeNode* header) {
  if (watched()) {
    TreeNode* const neighbours[] = {node->parent, node->left, node->right};
    for (TreeNode* const neighbour : neighbours) {
      if (neighbour != nullptr && neighbour != header) writes(neighbour, HEDDLE_CALLER);
    }
  }
  writes(header, HEDDLE_CALLER);
  writes(node, HEDDLE_CALLER);
  return real_erase(node, header);
}
// std::_Rb_tree_increment() and _Rb_tree_decrement(): what iterators do.
HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return step(real_increment, node, HEDDLE_CALLER);
}
HEDDLE_EXPORT const TreeNode* _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(
    const TreeNode* node) {
  return step(real_increment_const, node, HEDDLE_CALLER);
}
HEDDLE_EXPORT TreeNode* _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(TreeNode* node) {
  return step(real_decrement, node, HEDDLE_CALLER);
}
HEDDLE_EXPORT const TreeNode* _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(
    const TreeNode* node) {
  return step(real_decrement_const, node, HEDDLE_CALLER);
}

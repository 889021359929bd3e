// Ends everything a run started: its process group, and what left the group.
//
// A run leads a process group. A child that daemonises leaves it, but is still found: orphans come to the fork server, which ends
// them with their run (runtime/fork_server.cpp). Those of programs started directly come to the tool, and are told apart from
// another worker's by the run directory in their environment.
#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

namespace heddle::campaign {

// SIGKILL to the whole group; true if there was one.
bool kill_group(pid_t group);

// Live children of a process, zombies left out.
std::vector<pid_t> live_children(pid_t parent);

// Ends all children of `parent` and, as they come to it, their descendants. Returns how many. Bounded in time.
std::size_t kill_children(pid_t parent);

// Ends orphans that came to this process and whose environment names `mark`. Reaps them.
std::size_t kill_orphans(std::string_view mark);

// From now on orphans of our descendants come to us rather than to init.
void become_subreaper();

// 'R', 'S', 'D', 'Z' … as /proc/<pid>/task/<tid>/stat says; 0 if it is gone.
char thread_state(pid_t process, pid_t thread);

}  // namespace heddle::campaign

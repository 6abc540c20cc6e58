#include "tests/mutants/process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::mutants {
namespace {

// A program that waits for ever uses no processor time: this much longer may it take by the clock.
constexpr int kClockPerCpu = 12;

struct Pipe {
  std::array<int, 2> ends{};
};

[[noreturn]] void give_up(std::string_view what, int error) {
  fmt::print(stderr, "mutants: {}: {}\n", what, std::strerror(error));
  std::exit(4);
}

std::vector<char*> as_argv(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);
  return argv;
}

// Variables that come first win.
std::vector<std::string> with_own_environment(std::vector<std::string> environment) {
  for (char** variable = environ; *variable != nullptr; ++variable) {
    environment.emplace_back(*variable);
  }
  return environment;
}

// Reads both pipes until both are closed; false once the deadline has passed.
bool read_all(const Pipe& out, const Pipe& err, std::chrono::steady_clock::time_point deadline, ProcessEnd& end) {
  std::array<pollfd, 2> open{{{out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
  while (open[0].fd >= 0 || open[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0 || poll(open.data(), open.size(), static_cast<int>(left.count())) == 0) {
      return false;
    }
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (open[i].fd < 0 || open[i].revents == 0) {
        continue;
      }
      std::array<char, 4096> buffer{};
      const ssize_t got = read(open[i].fd, buffer.data(), buffer.size());
      if (got > 0) {
        (i == 0 ? end.out : end.err).append(buffer.data(), static_cast<std::size_t>(got));
      } else {
        open[i].fd = -1;
      }
    }
  }
  return true;
}

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                       int cpu_seconds) {
  const auto start = std::chrono::steady_clock::now();
  // The limit is set by a shell, since it cannot be given to posix_spawn.
  std::vector<std::string> words{"/bin/sh", "-c", "[ $1 = 0 ] || ulimit -c 0 -t \"$1\"; shift; exec \"$@\"", "sh",
                                 std::to_string(cpu_seconds)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const std::vector<std::string> variables = with_own_environment(environment);

  Pipe out;
  Pipe err;
  if (pipe2(out.ends.data(), O_CLOEXEC) != 0 || pipe2(err.ends.data(), O_CLOEXEC) != 0) {
    give_up("no pipe", errno);
  }
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, words[0].c_str(), &actions, nullptr, as_argv(words).data(), as_argv(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    give_up("cannot start " + arguments[0], error);
  }
  close(out.ends[1]);
  close(err.ends[1]);

  ProcessEnd end;
  const auto deadline = start + std::chrono::seconds(cpu_seconds == 0 ? 3600 : kClockPerCpu * cpu_seconds);
  if (!read_all(out, err, deadline, end)) {
    kill(child, SIGKILL);
    end.out_of_time = true;
  }
  close(out.ends[0]);
  close(err.ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  end.out_of_time =
      end.out_of_time || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL));
  end.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return end;
}

}  // namespace headroom::mutants

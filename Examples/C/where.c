/* Prints where this device is, once: with json-c, from docs/protocol.md alone.
 *
 *     cc -o where where.c $(pkg-config --cflags --libs json-c)
 *
 * Its exit status is 0 with a fix, 2 without one in time, and 1 if there was an error, which it prints. */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A member of an object on a path such as "result", "fix"; NULL if it is absent. */
static json_object *member(json_object *object, const char *name) {
  json_object *value = NULL;
  return object && json_object_object_get_ex(object, name, &value) ? value : NULL;
}

static const char *text(json_object *object, const char *name) {
  json_object *value = member(object, name);
  return value ? json_object_get_string(value) : NULL;
}

/* Connects to the daemon; NULL, after a message, if that fails. */
static FILE *connect_daemon(void) {
  const char *path = getenv("POSITIOND_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path) path = "/run/positiond/positiond.sock";
  if (strlen(path) >= sizeof address.sun_path) return fprintf(stderr, "where: %s is too long\n", path), NULL;
  strcpy(address.sun_path, path);
  int daemon = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (daemon < 0) return perror("where"), NULL;
  if (connect(daemon, (struct sockaddr *)&address, sizeof address) != 0) {
    perror("where: cannot connect to positiond");
    close(daemon);
    return NULL;
  }
  return fdopen(daemon, "r");
}

/* Prints why there is no result, and what to do about it. */
static int report(json_object *error) {
  const char *message = text(error, "message"), *remedy = text(member(error, "data"), "remedy");
  fprintf(stderr, "where: %s\n", message ? message : "an error without a message");
  if (remedy) fprintf(stderr, "where: what to do: %s\n", remedy);
  return 1;
}

static int print(json_object *result) {
  json_object *fix = member(result, "fix"), *accuracy = member(fix, "horizontalAccuracy");
  if (!fix) {
    const char *availability = text(member(result, "diagnostics"), "availability");
    fprintf(stderr, "where: no fix in time: %s\n", availability ? availability : "unknown");
    return 2;
  }
  double latitude = json_object_get_double(member(fix, "latitude"));
  double longitude = json_object_get_double(member(fix, "longitude"));
  printf("%.6f %.6f", latitude, longitude);
  /* What is unknown is absent, never 0. */
  if (accuracy) printf(" %.0f m", json_object_get_double(accuracy));
  putchar('\n');
  return 0;
}

int main(void) {
  FILE *daemon = connect_daemon();
  if (!daemon) return 1;
  if (dprintf(fileno(daemon), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"position.get\","
                              "\"params\":{\"accuracy\":\"house\",\"timeout\":20}}\n") < 0)
    return perror("where"), fclose(daemon), 1;

  /* A line may have any length, and notifications may come before the answer. */
  char *line = NULL;
  size_t capacity = 0;
  int status = -1;
  while (status < 0 && getline(&line, &capacity, daemon) > 0) {
    json_object *message = json_tokener_parse(line), *id = NULL;
    if (!json_object_is_type(message, json_type_object)) {
      fprintf(stderr, "where: positiond sent no JSON object\n");
      status = 1;
    } else if (member(message, "error")) {
      status = report(member(message, "error"));
    } else if ((id = member(message, "id")) && json_object_get_int(id) == 1) {
      status = print(member(message, "result"));
    }
    json_object_put(message);
  }
  if (status < 0) fprintf(stderr, "where: positiond closed the connection\n");
  free(line);
  fclose(daemon);
  return status < 0 ? 1 : status;
}

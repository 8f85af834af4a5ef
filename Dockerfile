# syntax=docker/dockerfile:1

FROM python:3.11-slim AS build
RUN python -m pip install --no-cache-dir uv==0.13.9
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY adapters adapters
COPY bot bot
COPY data data
COPY engine engine
COPY render render
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
# The lock gives versions and hashes; of what it lists only the program's own dependencies are installed.
RUN uv venv /opt/buraco \
    && uv pip install --no-cache --python /opt/buraco/bin/python --constraint requirements.lock ".[postgres]"

FROM python:3.11-slim
RUN groupadd --gid 10001 buraco \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin buraco \
    && install -d -o 10001 -g 10001 -m 0700 /data
COPY --from=build /opt/buraco /opt/buraco
# The room listens in the container's own network; what of it is let out is for whoever starts it to say.
ENV PATH=/opt/buraco/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    BURACO_DATABASE_URL=sqlite:////data/buraco.sqlite3 \
    BURACO_WEB_HOST=0.0.0.0 \
    BURACO_WEB_PORT=8642 \
    BURACO_LOG_FORMAT=json
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8642
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=6s --start-period=30s --retries=3 CMD ["buraco", "health"]
ENTRYPOINT ["buraco"]
CMD ["run"]

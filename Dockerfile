# A library as a site for others, read-only: docker build -t litsette . && docker run -p 8001:8001 litsette
# It shows the seed files; for your own: docker run -v "$PWD/published:/srv/published:ro" ...
FROM python:3.11-slim
WORKDIR /srv
COPY pyproject.toml constraints.txt README.md LICENSE metadata.yml ./
COPY loader loader
COPY plugins plugins
COPY seeds seeds
RUN python -m pip install --no-cache-dir --constraint constraints.txt .
RUN litsette load seeds/*.txt --db built.db
RUN mkdir -p published && litsette publish-copy published/library.db --db built.db && rm -f built.db*
RUN useradd --system reader
USER reader
EXPOSE 8001
CMD ["datasette", "serve", "-i", "published/library.db", "--host", "0.0.0.0", "--port", "8001", \
     "--metadata", "metadata.yml", "--plugins-dir", "plugins", \
     "--template-dir", "plugins/templates", "--static", "static:plugins/static", \
     "--setting", "suggest_facets", "off", "--setting", "sql_time_limit_ms", "3000", \
     "--setting", "facet_time_limit_ms", "1000", "--setting", "default_page_size", "50", \
     "--setting", "max_returned_rows", "5000", "--setting", "max_csv_mb", "0"]
